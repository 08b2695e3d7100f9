"""Which process of a job this is, and which job."""

from __future__ import annotations

import os
import re
import sys
from typing import Mapping, NamedTuple, Optional, Tuple

from .._errors import StokerError

#: Of several launchers the innermost is right: torchrun is started inside mpirun or srun, and mpirun inside a Slurm job.
_LAUNCHERS = (
    ("RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE"),
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"),
    ("PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS"),
    ("SLURM_PROCID", "SLURM_NTASKS", "SLURM_STEP_TASKS_PER_NODE"),
)

#: What tells apart the jobs of one user on one node.
_JOB = (
    "SLURM_JOB_ID",
    "SLURM_STEP_ID",
    "PBS_JOBID",
    "LSB_JOBID",
    "PMIX_NAMESPACE",
    "TORCHELASTIC_RUN_ID",
    "MASTER_ADDR",
    "MASTER_PORT",
)


class Ranks(NamedTuple):
    rank: int
    world: int
    #: The number of ranks on this node.
    local_world: int


def find_ranks(rank: Optional[int], world: Optional[int]) -> Ranks:
    """What is given wins, then torch.distributed where it is initialised, then what the launcher set."""
    if (rank is None) != (world is None):
        raise StokerError("give rank and world, or neither to take them from torch.distributed or the launcher")
    if rank is None or world is None:
        rank, world = _from_torch() or _from_launcher(os.environ)
    if world < 1 or not 0 <= rank < world:
        raise StokerError(f"rank should be at least 0 and less than world, which is at least 1; rank is {rank}, world {world}")
    return Ranks(rank, world, min(world, _local_world(os.environ) or world))


def _from_torch() -> Optional[Tuple[int, int]]:
    distributed = sys.modules.get("torch.distributed")
    if distributed is None or not distributed.is_available() or not distributed.is_initialized():
        return None
    return distributed.get_rank(), distributed.get_world_size()


def _launcher(environment: Mapping[str, str]) -> Optional[Tuple[str, str, str]]:
    for names in _LAUNCHERS:
        # Slurm sets its variables for the batch script too, which is one process; only in a step do they count.
        if names[0] in environment and (names[0] != "SLURM_PROCID" or "SLURM_STEP_ID" in environment):
            return names
    return None


def _from_launcher(environment: Mapping[str, str]) -> Tuple[int, int]:
    names = _launcher(environment)
    if names is None:
        return 0, 1
    try:
        return int(environment[names[0]]), int(environment[names[1]])
    except (KeyError, ValueError):
        raise StokerError(
            f"the launcher set {names[0]} to '{environment[names[0]]}' and {names[1]} to "
            f"'{environment.get(names[1], '')}', which should be two numbers; set both, unset both, or give rank and world"
        ) from None


def _local_world(environment: Mapping[str, str]) -> Optional[int]:
    names = _launcher(environment)
    # Slurm writes 4(x2),3 for two nodes with four tasks and one with three.
    number = re.match(r"\d+", environment.get(names[2], "") if names else "")
    return max(1, int(number.group())) if number else None


def job_name() -> str:
    """The same for all ranks of a job on this node, and another one for other jobs. Without a launcher, processes of one
    login session or shell script are one job. STOKER_JOB overrules."""
    if os.environ.get("STOKER_JOB"):
        return "job " + os.environ["STOKER_JOB"]
    found = [f"{name}={os.environ[name]}" for name in _JOB if name in os.environ]
    return " ".join(found) or f"session {os.getsid(0)}"


def launch_name() -> str:
    """The same for all ranks of a job on all its nodes, and another one after it was started again, as far as the launcher
    tells: empty without one. Names of steps are left out, since some start a step for each node."""
    names = ("SLURM_JOB_ID", "SLURM_RESTART_COUNT", "PBS_JOBID", "LSB_JOBID", "TORCHELASTIC_RUN_ID")
    return " ".join(f"{name}={os.environ[name]}" for name in names if os.environ.get(name))


def cores_of_rank(local_world: int) -> int:
    """How many cores are this rank's share: those that it is bound to, or, if the ranks of the node have the same ones, its
    part of them."""
    own = len(os.sched_getaffinity(0))
    return own if own * local_world <= (os.cpu_count() or 1) else -(-own // local_world)
