"""What a disk holds after the power was cut, computed from the log of checks/cluster/faulty.c."""

import collections
import os


def read_log(path):
    """The changes in their order, as tuples of words; a write has its bytes last."""
    changes = []
    with open(path, "rb") as f:
        for line in f:
            words = line.rstrip(b"\n").split(b" ", 1)
            what, rest = words[0].decode(), words[1] if len(words) > 1 else b""
            if what == "write":
                number, offset, size = (int(w) for w in rest.split())
                changes.append((what, number, offset, f.read(size)))
                f.read(1)
            elif what in ("sync", "size"):
                changes.append((what, *(int(w) for w in rest.split())))
            elif what == "file":
                number, _, name = rest.split(b" ", 2)
                changes.append((what, int(number), name.decode()))
            elif what == "folder":
                changes.append((what, rest.split(b" ", 1)[1].decode()))
            elif what in ("rename", "link"):
                changes.append((what, *rest.decode().split("\t")))
            elif what != "calls":
                changes.append((what, rest.decode()))
    return changes


class Disk:
    """What a disk holds after the power was cut.

    :param before: what was in out/ from the beginning; None if nothing was
    """

    def __init__(self, before=None):
        self.folders, self.names, self.bytes = {"out"}, {}, {}
        for at, folders, files in os.walk(before) if before else ():
            inside = os.path.normpath(os.path.join("out", os.path.relpath(at, before)))
            self.folders.update(f"{inside}/{folder}" for folder in folders)
            for file in files:
                name = f"{inside}/{file}"
                self.names[name] = name  # the files of the log have numbers
                with open(os.path.join(at, file), "rb") as f:
                    self.bytes[name] = bytearray(f.read())

    def change(self, change):
        what = change[0]
        if what == "file":
            self.names[change[2]] = change[1]
        elif what == "folder":
            self.folders.add(change[1])
        elif what == "delete":
            self.names.pop(change[1], None)
            self.folders.discard(change[1])
        elif what == "link":
            old, new = change[1:]
            self.names[new] = self.names[old]
        elif what == "rename":
            old, new = change[1:]
            if old in self.names:
                self.names[new] = self.names.pop(old)
            else:
                self.folders = {new + f[len(old):] if f == old or f.startswith(old + "/") else f for f in self.folders}
                self.names = {new + n[len(old):] if n.startswith(old + "/") else n: i for n, i in self.names.items()}

    def write(self, change):
        held = self.bytes.setdefault(change[1], bytearray())
        if change[0] == "size":
            del held[change[2]:]
            held.extend(bytes(change[2] - len(held)))
        else:
            held.extend(bytes(max(0, change[2] - len(held))))
            held[change[2]:change[2] + len(change[3])] = change[3]

    def put(self, below, moved):
        """Writes what there is, to a place of another name; that name and the machine's start stand in what is staged."""
        with open("/proc/sys/kernel/random/boot_id", "rb") as f:
            moved = {f.read(): b"another start", **moved}
        for folder in sorted(self.folders):
            os.makedirs(f"{below}/{folder}", mode=0o700, exist_ok=True)
        for name, number in self.names.items():
            with open(f"{below}/{name}", "wb") as f:
                held = bytes(self.bytes.get(number, b""))
                if name.endswith(("/note.json", "/complete")):
                    for old, new in moved.items():
                        held = held.replace(old, new)
                f.write(held)
            os.chmod(f"{below}/{name}", 0o600)


def cut_power(changes, chance, before=None):
    """The disk after a cut at a random place; see Disk for what was there before."""
    cut = chance.randint(0, len(changes))
    happened = changes[:cut]
    syncs = [i for i, change in enumerate(happened) if change[0] == "sync-folder"]
    shown = chance.randint(syncs[-1] if syncs else 0, cut)
    share = chance.choice([0, 0.5, 0.9, 1])
    disk = Disk(before)
    pending = collections.defaultdict(list)
    for i, change in enumerate(happened):
        what = change[0]
        if what in ("write", "size"):
            pending[change[1]].append(change)
        elif what == "sync":
            for each in pending.pop(change[1], []):
                disk.write(each)
        elif what != "sync-folder":
            if what == "file":  # the number of a deleted file may be used again
                pending.pop(change[1], None)
                disk.bytes.pop(change[1], None)
            if i < shown:
                disk.change(change)
    for number in pending:
        kept = [each for each in pending[number] if chance.random() < share]
        for each in kept:
            disk.write(each)
    return disk
