"""A filter of system calls (seccomp) for the process that reads untrusted files: no network, no way to other processes.

A filter is a program of the kernel's own small machine: https://docs.kernel.org/userspace-api/seccomp_filter.html
"""

import ctypes
import errno
import os
import platform
import struct
from typing import NamedTuple

LOAD, EQUAL, AT_LEAST, ANY_BIT, AND, GIVE = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
ALLOW, ERROR = 0x7FFF0000, 0x00050000
REFUSE, UNKNOWN = ERROR | errno.EPERM, ERROR | errno.ENOSYS
_SET_SECCOMP, _FILTER_MODE = 22, 2
_SET_FILTER, _ALL_THREADS = 1, 1
_OTHER_CALLS = 0x40000000
"""Numbers from here on are other names for the same calls (x32)."""
_MACHINES = {"x86_64": (0xC000003E, 317), "aarch64": (0xC00000B7, 277)}
"""For each processor its mark and the number of `seccomp`."""


class SystemCall(NamedTuple):
    """The numbers of a system call."""

    x86_64: int
    aarch64: int


SOCKET, SOCKETPAIR = SystemCall(41, 198), SystemCall(53, 199)
NETWORK = (
    *(SOCKET, SOCKETPAIR),
    *(SystemCall(42, 203), SystemCall(49, 200), SystemCall(50, 201)),  # connect, bind, listen
    *(SystemCall(44, 206), SystemCall(46, 211), SystemCall(307, 269)),  # sendto, sendmsg, sendmmsg
)
"""Refused to readers. LibreOffice may have connections within the machine."""
OTHER_PROCESSES = (
    *(
        SystemCall(101, 117),
        SystemCall(310, 270),
        SystemCall(311, 271),
        SystemCall(312, 272),
    ),  # ptrace, process_vm_readv, _writev, kcmp
    *(SystemCall(434, 434), SystemCall(438, 438)),  # pidfd_open, pidfd_getfd
    *(SystemCall(440, 440), SystemCall(448, 448)),  # process_madvise, process_mrelease
    *(SystemCall(279, 239), SystemCall(256, 238)),  # move_pages, migrate_pages
    *(SystemCall(141, 140), SystemCall(251, 30)),  # setpriority, ioprio_set
    *(
        SystemCall(142, 118),
        SystemCall(144, 119),
        SystemCall(314, 274),
    ),  # sched_setparam, sched_setscheduler, sched_setattr
)
KERNEL = (
    *(
        SystemCall(165, 40),
        SystemCall(166, 39),
        SystemCall(272, 97),
        SystemCall(308, 268),
    ),  # mount, umount, unshare, setns
    *(
        SystemCall(246, 104),
        SystemCall(321, 280),
        SystemCall(298, 241),
        SystemCall(323, 282),
    ),  # kexec_load, bpf, perf_event_open, userfaultfd
    *(SystemCall(250, 219), SystemCall(248, 217), SystemCall(249, 218)),  # keyctl, add_key, request_key
    *(SystemCall(425, 425), SystemCall(304, 265)),  # io_uring_setup, open_by_handle_at
)
SHARED = (
    *(SystemCall(29, 194), SystemCall(30, 196), SystemCall(31, 195)),  # shmget, shmat, shmctl
    *(SystemCall(64, 190), SystemCall(65, 193), SystemCall(66, 191)),  # semget, semop, semctl
    *(
        SystemCall(68, 186),
        SystemCall(69, 189),
        SystemCall(70, 188),
        SystemCall(71, 187),
        SystemCall(240, 180),
    ),  # msgget, -snd, -rcv, -ctl, mq_open
)
"""Memory and queues that processes share."""
LEAVING = (SystemCall(112, 157), SystemCall(109, 154))
"""setsid, setpgid: who stays in the group of the reader ends with it."""
SIGNALS = (
    *(SystemCall(62, 129), SystemCall(200, 130), SystemCall(234, 131)),  # kill, tkill, tgkill
    *(
        SystemCall(129, 138),
        SystemCall(297, 240),
        SystemCall(424, 424),
    ),  # rt_sigqueueinfo, rt_tgsigqueueinfo, pidfd_send_signal
)
"""Allowed to the process itself, and within its group, where Landlock does not keep signals within."""
FCNTL, IOCTL, PRLIMIT, AFFINITY = SystemCall(72, 25), SystemCall(16, 29), SystemCall(302, 261), SystemCall(203, 122)
CLONE, CLONE3 = SystemCall(56, 220), SystemCall(435, 435)
_OWNERS = (8, 10, 15)
"""F_SETOWN, F_SETSIG, F_SETOWN_EX: they have the kernel send signals to others."""
_SOCKET_OWNERS = (0x8901, 0x8902)
"""FIOSETOWN, SIOCSPGRP: the same for sockets."""
_NAMESPACES = 0x7E020000
"""The flags of `clone` that make namespaces: mounts, groups, names, messages, users, processes, network."""
_AF_UNIX, _STREAM, _TYPE_BITS = 1, 1, 0xF

Step = tuple[int, int, int, int]


def has_filters(libc: ctypes.CDLL) -> bool:
    """Whether this kernel takes filters, and they are known for this processor. Nothing is filtered."""
    if platform.machine() not in _MACHINES:
        return False
    libc.prctl(_SET_SECCOMP, _FILTER_MODE, None, 0, 0)  # a filter that is nowhere: a fault, if filters are known
    return ctypes.get_errno() == errno.EFAULT


def restrict_calls(libc: ctypes.CDLL, *, office: bool, signals_are_kept_in: bool) -> bool:
    """Filters the calls of all threads of this process, and of what it starts."""
    if platform.machine() not in _MACHINES:
        return False
    program = filter_program(platform.machine(), office=office, signals_are_kept_in=signals_are_kept_in)
    code = b"".join(struct.pack("=HBBI", *step) for step in program)
    buffer = ctypes.create_string_buffer(code)
    filter_ = struct.pack("HxxxxxxP", len(program), ctypes.addressof(buffer))
    number = _MACHINES[platform.machine()][1]
    return int(libc.syscall(number, _SET_FILTER, _ALL_THREADS, filter_)) == 0


def filter_program(machine: str, *, office: bool, signals_are_kept_in: bool) -> list[Step]:
    """The filter as steps of the kernel's machine. What no rule names is allowed."""
    place = SystemCall._fields.index(machine)
    rules = _rules(place, office=office)
    if not signals_are_kept_in:
        rules += [_only(call[place], 0, (os.getpid(), 0)) for call in SIGNALS]
        rules += [_except(FCNTL[place], 1, _OWNERS), _except(IOCTL[place], 1, _SOCKET_OWNERS)]
    return [
        (LOAD, 0, 0, 4),  # the processor
        (EQUAL, 1, 0, _MACHINES[machine][0]),
        (GIVE, 0, 0, REFUSE),
        (LOAD, 0, 0, 0),  # the number of the call
        (AT_LEAST, 0, 1, _OTHER_CALLS),
        (GIVE, 0, 0, REFUSE),
        *(step for rule in rules for step in rule),
        (GIVE, 0, 0, ALLOW),
    ]


def _rules(place: int, *, office: bool) -> list[list[Step]]:
    refused = [*OTHER_PROCESSES, *KERNEL, *LEAVING, *(() if office else (*NETWORK, *SHARED))]
    return [
        *(_always(call[place], REFUSE) for call in refused),
        *((_within(call[place]) for call in (SOCKET, SOCKETPAIR)) if office else ()),
        _only(PRLIMIT[place], 0, (0,)),
        _only(AFFINITY[place], 0, (0,)),
        _always(CLONE3[place], UNKNOWN),  # its flags are out of sight; programs then use clone
        _rule(CLONE[place], [_argument(0), (ANY_BIT, 0, 1, _NAMESPACES), (GIVE, 0, 0, REFUSE), (GIVE, 0, 0, ALLOW)]),
    ]


def _rule(number: int, steps: list[Step]) -> list[Step]:
    """Steps for one call, which end with an answer."""
    return [(EQUAL, 0, len(steps), number), *steps]


def _always(number: int, answer: int) -> list[Step]:
    return _rule(number, [(GIVE, 0, 0, answer)])


def _argument(at: int) -> Step:
    """Loads the lower half of an argument, which is all of an `int`."""
    return LOAD, 0, 0, 16 + 8 * at


def _only(number: int, at: int, values: tuple[int, ...]) -> list[Step]:
    """A call whose argument must be one of some values."""
    checks = [(EQUAL, len(values) - tried, 0, value) for tried, value in enumerate(values)]
    return _rule(number, [_argument(at), *checks, (GIVE, 0, 0, REFUSE), (GIVE, 0, 0, ALLOW)])


def _except(number: int, at: int, values: tuple[int, ...]) -> list[Step]:
    """A call whose argument must be none of some values."""
    checks = [(EQUAL, len(values) - tried, 0, value) for tried, value in enumerate(values)]
    return _rule(number, [_argument(at), *checks, (GIVE, 0, 0, ALLOW), (GIVE, 0, 0, REFUSE)])


def _within(number: int) -> list[Step]:
    """Sockets for connections within the machine, and no others: what has no connection can be sent to anybody."""
    return _rule(
        number,
        [
            _argument(0),
            (EQUAL, 0, 3, _AF_UNIX),
            _argument(1),
            (AND, 0, 0, _TYPE_BITS),
            (EQUAL, 1, 0, _STREAM),
            (GIVE, 0, 0, REFUSE),
            (GIVE, 0, 0, ALLOW),
        ],
    )
