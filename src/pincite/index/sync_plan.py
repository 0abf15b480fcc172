"""What adding or following a folder would do: which files are new, changed, gone or left out."""

import os
from dataclasses import dataclass, field
from pathlib import Path

from pincite.documents.folder import files_below
from pincite.engine.contract import Store, every_document, every_file, every_root
from pincite.engine.records import File, storable
from pincite.errors import DataError, UsageError
from pincite.index.exclusions import changed, exclusions, is_excluded
from pincite.index.file_state import unchanged
from pincite.index.ingest_options import IngestOptions
from pincite.index.links import follows_links
from pincite.index.metadata import Metadata

MOST_REMOVED = 0.3
"""The greatest share of a root's files that a sync removes without being told to."""


@dataclass(slots=True)
class SyncPlan:
    """What a sync would do for one root. Files are named by their paths below it."""

    root: str
    root_path: Path
    new: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    same: list[str] = field(default_factory=list)
    redescribed: list[str] = field(default_factory=list)
    """Files whose documents only get other metadata."""
    touched: list[File] = field(default_factory=list)
    """Files with the same content and another time of change."""
    closed: list[str] = field(default_factory=list)
    """Folders that cannot be opened: their files stay as they are."""
    linked: list[str] = field(default_factory=list)
    """Links that lead elsewhere and are not followed."""
    follow: bool = False
    """Whether links are followed."""
    excluded: list[str] = field(default_factory=list)
    """Files that are there and match `patterns`. They are not read, and leave the index if they are in it."""
    patterns: tuple[str, ...] = ()
    paths: dict[str, Path] = field(default_factory=dict)


@dataclass(slots=True)
class _Present:
    """The files that are there, with their paths below the given folder."""

    files: list[tuple[Path, str]] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)
    linked: list[str] = field(default_factory=list)

    follow: bool = False

    @classmethod
    def below(cls, folder: Path, store: Store, options: IngestOptions) -> "_Present":
        root, _, _ = _root(store, folder, options.name)
        follow = follows_links(store, root) if options.follow_links is None else options.follow_links
        present = cls(follow=follow)
        present.files = files_below(folder, present.closed, present.linked, follow=follow)
        return present


def plan_add(store: Store, path: Path, options: IngestOptions) -> SyncPlan:
    """What adding a file or folder would do. Nothing is removed. A file that is named itself is never left out."""
    if path.is_dir():
        present = _Present.below(path, store, options)
        if not present.files:
            links = "; links are not followed without --follow-links" if present.linked else ""
            raise DataError(f"{path}: the folder holds no files{links}")
    elif os.path.lexists(path):
        present = _Present([(path, "")], follow=follows_links(store, _root(store, path, options.name)[0]))
    else:
        raise DataError(f"{path}: no such file or folder")
    plan = _plan(store, path, options, present)
    plan.gone = []
    return plan


def plan_sync(store: Store, folder: Path, options: IngestOptions | None = None) -> SyncPlan:
    """What `sync` would do. It refuses if the folder is missing or empty, or if too much would be removed."""
    options = options or IngestOptions()
    root_path = _absolute(folder)
    known = {Path(root.path) for root in every_root(store)}
    present = _Present()
    if root_path.is_dir():
        present = _Present.below(root_path, store, options)
    elif root_path not in known:
        raise DataError(f"{folder}: no such folder")
    elif not options.allow_removals:
        raise DataError(
            f"{folder}: the folder is missing; nothing was removed from the index. Is a disk not mounted? "
            "--allow-removals removes its documents"
        )
    if not present.files and root_path in known and not options.allow_removals:
        raise DataError(
            f"{folder}: the folder is empty; nothing was removed from the index. --allow-removals removes its documents"
        )
    plan = _plan(store, folder, options, present)
    _refuse_many_removals(plan, folder, options)
    return plan


def _refuse_many_removals(plan: SyncPlan, folder: Path, options: IngestOptions) -> None:
    lost = set(plan.gone) - set(plan.excluded)
    total = len(lost) + len(plan.same) + len(plan.changed) + len(plan.redescribed)
    if len(lost) > MOST_REMOVED * total and not options.allow_removals:
        raise DataError(
            f"{folder}: {len(lost)} of {total} files are gone, more than {MOST_REMOVED:.0%}; nothing was changed. "
            "If that is right: --allow-removals"
        )


def _plan(store: Store, path: Path, options: IngestOptions, present: _Present) -> SyncPlan:
    root, root_path, below = _root(store, path, options.name)
    patterns = changed(exclusions(store, root), options.exclude, options.include)
    closed, linked = ([_joined(below, folder) for folder in folders] for folders in (present.closed, present.linked))
    plan = SyncPlan(root, root_path, closed=closed, linked=linked, follow=present.follow, patterns=patterns)
    known = {file.path: file for file in every_file(store, root) if _is_below(file.path, below)}
    described = _redescribed(store, root, options.metadata)
    for full, relative in present.files:
        name = storable(_joined(below, relative))
        if relative and is_excluded(name, patterns):
            plan.excluded.append(name)
            continue
        plan.paths[name] = full
        earlier = known.pop(name, None)
        if earlier is None:
            plan.new.append(name)
            continue
        now = unchanged(full, earlier)
        if now is None or options.reread or (options.retry and earlier.failures):
            plan.changed.append(name)
        else:
            (plan.redescribed if name in described else plan.same).append(name)
            if now != earlier:
                plan.touched.append(now)
    plan.gone = sorted(name for name in known if not any(_is_below(name, folder) for folder in plan.closed))
    return plan


def _absolute(path: Path) -> Path:
    """The full path; links keep their names, so that a link that later points elsewhere is still the same root."""
    return Path(os.path.abspath(path))  # noqa: PTH100


def _joined(*parts: str) -> str:
    return "/".join(part for part in parts if part)


def _is_below(path: str, folder: str) -> bool:
    return not folder or path == folder or path.startswith(f"{folder}/")


def _root(store: Store, path: Path, name: str) -> tuple[str, Path, str]:
    """The name and path of the root that a path belongs to, and its own path below that root."""
    full = _absolute(path)
    roots = dict(every_root(store))
    for known, root_path in sorted(roots.items(), key=lambda root: -len(root[1])):
        if full == Path(root_path) and name not in ("", known):
            raise UsageError(f"{path}: the index knows this place as {known!r}; leave --name out")
        if full.is_relative_to(root_path) and (not name or full == Path(root_path)):
            relative = full.relative_to(root_path).as_posix()
            return known, Path(root_path), "" if relative == "." else storable(relative)
    root = storable(name or full.name or "root")
    if "/" in root or root in (".", ".."):
        raise UsageError(f"--name {root!r}: a name must not hold a slash")
    if root in roots:
        raise UsageError(
            f"two places would have the name {root!r}: {roots[root]} and {full}; "
            "give the second one another with --name"
        )
    return root, full, ""


def _redescribed(store: Store, root: str, metadata: Metadata) -> set[str]:
    """The files of which some document is now described differently."""
    if not metadata:
        return set()
    return {
        entry.path
        for entry in every_document(store)
        if entry.root == root and metadata.of(entry.id, entry.metadata) != dict(entry.metadata)
    }
