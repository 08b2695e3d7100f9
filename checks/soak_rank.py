"""A rank that trains for checks/soak.py until the file "stop" is there.

    python3 checks/soak_rank.py FOLDER CONTAINER RANK

Every value is compared with the checksum that its file had. What was trained stands in a ledger; that counts as far as the last commit says,
from whose state the rank goes on when it is started again.
"""

import json
import os
import sys
import time
import zlib

import stoker

RANKS = 2
BATCH = 32
COMMIT_EVERY = 8  # batches


def write_whole(path, text):
    """A reader sees the old text or the new one."""
    with open(path + ".new", "w") as f:
        f.write(text)
    os.replace(path + ".new", path)


def read_json(path, otherwise=None):
    try:
        with open(path) as f:
            return json.load(f)
    except FileNotFoundError:
        return otherwise


class Trainer:
    def __init__(self, folder, container, rank):
        self.own = f"{folder}/rank-{rank}"
        self.stop = f"{folder}/../stop"
        self.expected = read_json(f"{folder}/../expected.json")
        done = read_json(f"{self.own}.json", {"state": None, "epoch": 0, "length": 0})
        self.epoch, self.beats, self.lines = done["epoch"], 0, []
        self.ledger = open(f"{self.own}.ledger", "a")
        self.ledger.truncate(done["length"])  # What came after the last commit counts as never trained.
        self.loader = stoker.Loader(container, BATCH, shuffle=True, seed=11, rank=rank, world=RANKS, fields=["key", "data"])
        if done["state"]:
            self.loader.load_state_dict(done["state"])

    def go(self):
        while not os.path.exists(self.stop):
            for batch in self.loader:
                self.step(batch)
                if os.path.exists(self.stop):
                    self.commit()
                    return
                self.wait()
            self.epoch += 1
            self.commit()

    def step(self, batch):
        for key, data in zip(batch["key"], batch["data"]):
            if zlib.crc32(data) != self.expected[key]:
                write_whole(f"{self.own}.wrong", f"epoch {self.epoch}, sample {key}: {len(data)} bytes with another checksum")
                sys.exit(4)
        self.lines.append(f"{self.epoch} {' '.join(batch['key'])}\n")
        self.beats += 1
        write_whole(f"{self.own}.beat", f"{self.loader.reader_pid} {self.beats}")
        if self.beats % COMMIT_EVERY == 0:
            self.commit()

    def wait(self):
        """As long as a step of a training takes, or as long as was asked for."""
        dawdle = read_json(f"{self.own}.dawdle")
        if dawdle:
            os.remove(f"{self.own}.dawdle")
        time.sleep(dawdle or 0.02)

    def commit(self):
        self.ledger.writelines(self.lines)
        self.ledger.flush()
        self.lines.clear()
        done = {"state": self.loader.state_dict(), "epoch": self.epoch, "length": self.ledger.tell()}
        write_whole(f"{self.own}.json", json.dumps(done))


if __name__ == "__main__":
    Trainer(sys.argv[1], sys.argv[2], int(sys.argv[3])).go()
