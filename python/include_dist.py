"""Puts the Java command into a wheel: what ./stoker built in build/dist becomes stoker/dist. Where nothing was built, the
wheel holds the Python package alone, which reads every container that has its Index. STOKER_WHEEL_JAVA names a Java runtime
that goes into the wheel too, which then is for this platform alone."""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path
from typing import Any, Dict

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class IncludeDist(BuildHookInterface):
    def initialize(self, version: str, build_data: Dict[str, Any]) -> None:
        dist = Path(self.root).parent / "build" / "dist"
        if version == "editable":  # which finds the command in its repository
            return
        if not (dist / "built").exists():
            self.app.display_warning(
                f"{dist} is not built, so the wheel has no command 'stoker'; python/build-wheel builds both"
            )
            return
        for file in [*(dist / "bin").iterdir(), *(dist / "lib").glob("*.jar"), dist / "LICENSE", dist / "sbom.json"]:
            build_data["force_include"][str(file)] = f"stoker/dist/{file.relative_to(dist)}"
        if os.environ.get("STOKER_WHEEL_JAVA"):
            build_data["force_include"][os.environ["STOKER_WHEEL_JAVA"]] = "stoker/dist/java"
            build_data["tag"] = f"py3-none-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
