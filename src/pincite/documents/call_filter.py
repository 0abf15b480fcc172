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


class Call(NamedTuple):
    """The numbers of a system call."""

    x86_64: int
    aarch64: int


SOCKET, SOCKETPAIR = Call(41, 198), Call(53, 199)
NETWORK = (
    *(SOCKET, SOCKETPAIR),
    *(Call(42, 203), Call(49, 200), Call(50, 201)),  # connect, bind, listen
    *(Call(44, 206), Call(46, 211), Call(307, 269)),  # sendto, sendmsg, sendmmsg
)
"""Refused to readers. LibreOffice may have connections within the machine."""
OTHER_PROCESSES = (
    *(Call(101, 117), Call(310, 270), Call(311, 271), Call(312, 272)),  # ptrace, process_vm_readv, _writev, kcmp
    *(Call(434, 434), Call(438, 438)),  # pidfd_open, pidfd_getfd
    *(Call(440, 440), Call(448, 448)),  # process_madvise, process_mrelease
    *(Call(279, 239), Call(256, 238)),  # move_pages, migrate_pages
    *(Call(141, 140), Call(251, 30)),  # setpriority, ioprio_set
    *(Call(142, 118), Call(144, 119), Call(314, 274)),  # sched_setparam, sched_setscheduler, sched_setattr
)
KERNEL = (
    *(Call(165, 40), Call(166, 39), Call(272, 97), Call(308, 268)),  # mount, umount, unshare, setns
    *(Call(246, 104), Call(321, 280), Call(298, 241), Call(323, 282)),  # kexec_load, bpf, perf_event_open, userfaultfd
    *(Call(250, 219), Call(248, 217), Call(249, 218)),  # keyctl, add_key, request_key
    *(Call(425, 425), Call(304, 265)),  # io_uring_setup, open_by_handle_at
)
SHARED = (
    *(Call(29, 194), Call(30, 196), Call(31, 195)),  # shmget, shmat, shmctl
    *(Call(64, 190), Call(65, 193), Call(66, 191)),  # semget, semop, semctl
    *(Call(68, 186), Call(69, 189), Call(70, 188), Call(71, 187), Call(240, 180)),  # msgget, -snd, -rcv, -ctl, mq_open
)
"""Memory and queues that processes share."""
LEAVING = (Call(112, 157), Call(109, 154))
"""setsid, setpgid: who stays in the group of the reader ends with it."""
SIGNALS = (
    *(Call(62, 129), Call(200, 130), Call(234, 131)),  # kill, tkill, tgkill
    *(Call(129, 138), Call(297, 240), Call(424, 424)),  # rt_sigqueueinfo, rt_tgsigqueueinfo, pidfd_send_signal
)
"""Allowed to the process itself, and within its group, where Landlock does not keep signals within."""
FCNTL, IOCTL, PRLIMIT, AFFINITY = Call(72, 25), Call(16, 29), Call(302, 261), Call(203, 122)
CLONE, CLONE3 = Call(56, 220), Call(435, 435)
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
    place = Call._fields.index(machine)
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
