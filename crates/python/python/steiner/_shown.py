"""What notebooks show of objects that have no page of their own."""

from __future__ import annotations

from html import escape
from typing import Any, Iterable, Mapping, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[Any]], caption: str = "") -> str:
    """A table in HTML; numbers with four digits."""

    def cell(value: Any) -> str:
        return f"{value:.4g}" if isinstance(value, float) else escape("" if value is None else str(value))

    top = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "".join("<tr>" + "".join(f"<td>{cell(x)}</td>" for x in row) + "</tr>" for row in rows)
    about = f"<p>{escape(caption)}</p>" if caption else ""
    return f"{about}<table><tr>{top}</tr>{body}</table>"


def robot(info: Mapping[str, Any]) -> str:
    """The bodies of a robot with their joints, limits and masses."""

    def limits(body: Mapping[str, Any]) -> str:
        lower, upper = body["limits"]["lower"], body["limits"]["upper"]
        return "" if lower is None and upper is None else f"{lower} … {upper}"

    head = ("body", "parent", "joint", "kind", "limits", "mass, kg", "centre of mass, m", "remarks")
    rows = [
        (
            body["name"],
            body["parent"],
            body["joint"],
            body["kind"],
            limits(body),
            float(body["mass"]),
            ", ".join(f"{x:.4g}" for x in body["com"]) if body["mass"] else "",
            body["inconsistency"],
        )
        for body in info["bodies"]
    ]
    own = info["robot"]
    loops = f", {len(info['loops'])} loops" if info["loops"] else ""
    caption = f"{own['name']}: {len(rows)} bodies, mobility {own.get('mobility', own.get('dof', ''))}{loops}"
    return table(head, rows, " ".join([caption, *info["notes"]]))
