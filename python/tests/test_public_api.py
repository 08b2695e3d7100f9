"""The public names and signatures of the package are those of public_api.txt, so that none changes by accident.

python tests/test_public_api.py         updates the file, after an intended change
"""

from __future__ import annotations

import ast
import difflib
import sys
from pathlib import Path
from typing import Dict, Iterator, List, Optional, Tuple, Union

PACKAGE = Path(__file__).parents[1] / "src" / "stoker"
EXPECTED = Path(__file__).with_name("public_api.txt")
#: Special methods that users call by syntax.
SYNTAX = ("__call__", "__enter__", "__exit__", "__getitem__", "__getitems__", "__init__", "__iter__", "__len__", "__next__")

Definition = Union[ast.ClassDef, ast.FunctionDef, ast.Assign, ast.AnnAssign]

# The sources are read, and not imported: stoker.lightning and stoker.ray need packages that may not be here, and a signature is
# then the same on every version of Python.


def public_api() -> List[str]:
    """A line for each public name, class and function with its signature."""
    lines: List[str] = []
    for module in ("stoker", "stoker.lightning", "stoker.ray"):
        path = PACKAGE / ("__init__.py" if module == "stoker" else f"{module.partition('.')[2]}.py")
        tree = ast.parse(path.read_text("utf-8"))
        for name, (home, definition) in sorted(_public(path, tree).items()):
            lines += _describe(f"{module}.{name}", home, definition)
    return lines


def _public(path: Path, tree: ast.Module) -> Dict[str, Tuple[Path, Definition]]:
    """What `__all__` names, where it is defined; without one, what the module itself defines."""
    listed = next((_names(node.value) for node in tree.body if isinstance(node, ast.Assign) and _is(node, "__all__")), None)
    if listed is None:
        defined = [node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))]
        return {node.name: (path, node) for node in defined if not node.name.startswith("_")}
    homes = {
        alias.asname or alias.name: path.parent / (str(node.module).replace(".", "/") + ".py")
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.level == 1
        for alias in node.names
    }
    return {name: (homes[name], _find(homes[name], name)) for name in listed}


def _names(value: ast.expr) -> List[str]:
    return [str(name) for name in ast.literal_eval(value)]


def _is(node: Union[ast.Assign, ast.AnnAssign], name: str) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(isinstance(target, ast.Name) and target.id == name for target in targets)


def _find(home: Path, name: str) -> Definition:
    for node in ast.parse(home.read_text("utf-8")).body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name == name:
            return node
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and _is(node, name):
            return node
    raise AssertionError(f"{home} does not define {name}")


def _describe(name: str, home: Path, node: Definition) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef):
        yield f"{name}{_signature(node)}"
        return
    if isinstance(node, (ast.Assign, ast.AnnAssign)):  # an object, such as stoker.log: what its class has is public
        assert isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name)
        node = _find(home, node.value.func.id)
        assert isinstance(node, ast.ClassDef)
    yield f"class {name}({', '.join(ast.unparse(base) for base in node.bases)})"
    members: Dict[str, str] = {}
    for attribute in ast.walk(node):
        if (
            isinstance(attribute, ast.Attribute)
            and isinstance(attribute.ctx, ast.Store)
            and ast.unparse(attribute.value) == "self"
        ):
            members[attribute.attr] = f"{name}.{attribute.attr}"
    for member in node.body:
        if isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name):
            members[member.target.id] = f"{name}.{member.target.id}: {ast.unparse(member.annotation)}"
        elif isinstance(member, ast.FunctionDef):
            members[member.name] = _describe_method(name, member)
    for member_name, line in sorted(members.items()):
        if not member_name.startswith("_") or member_name in SYNTAX:
            yield line


def _describe_method(owner: str, method: ast.FunctionDef) -> str:
    if any(isinstance(decorator, ast.Name) and decorator.id == "property" for decorator in method.decorator_list):
        return f"{owner}.{method.name}: {_shown(method.returns)}"
    return f"{owner}.{method.name}{_signature(method)}"


def _signature(function: ast.FunctionDef) -> str:
    return f"({ast.unparse(function.args)}) -> {_shown(function.returns)}"


def _shown(annotation: Optional[ast.expr]) -> str:
    return "None" if annotation is None else ast.unparse(annotation)


def test_public_api() -> None:
    expected = EXPECTED.read_text("utf-8").splitlines()
    changes = list(difflib.unified_diff(expected, public_api(), "public_api.txt", "the package", lineterm="", n=0))
    assert not changes, (
        "the public API differs from tests/public_api.txt. If that is meant, run `python tests/test_public_api.py`, "
        "commit the file, and add a line to CHANGELOG.md:\n" + "\n".join(changes)
    )


def test_every_entry_point_has_an_example() -> None:
    """Each function and class of `stoker.__all__` shows in its docstring how it is used."""
    for module, path in (("stoker", "__init__.py"), ("stoker.lightning", "lightning.py"), ("stoker.ray", "ray.py")):
        tree = ast.parse((PACKAGE / path).read_text("utf-8"))
        for name, (home, node) in _public(PACKAGE / path, tree).items():
            if isinstance(node, (ast.Assign, ast.AnnAssign)):
                assert isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name)
                node = _find(home, node.value.func.id)
            assert isinstance(node, (ast.ClassDef, ast.FunctionDef))
            assert "::\n\n" in (ast.get_docstring(node) or ""), f"{module}.{name} should have an example in its docstring"


if __name__ == "__main__":
    EXPECTED.write_text("\n".join(public_api()) + "\n", "utf-8")
    print(f"{EXPECTED}: {len(public_api())} lines", file=sys.stderr)
