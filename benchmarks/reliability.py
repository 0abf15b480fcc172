"""The reliability diagram that `belief.py` and `likelihood.py` draw."""

SIDE, MARGIN = 320, 44
COLOURS = ("#1f6feb", "#d1242f", "#2da44e")


def picture(tables: dict[str, list[tuple[float, float, int]]], across: str, up: str) -> str:
    """The reliability diagram: what is on the diagonal means what it says."""

    def place(x: float, y: float) -> tuple[float, float]:
        return MARGIN + SIDE * x, MARGIN / 2 + SIDE * (1 - y)

    (left, bottom), (right, top) = place(0, 0), place(1, 1)
    middle, centre = (left + right) / 2, (top + bottom) / 2
    box = f"0 0 {SIDE + 2 * MARGIN} {SIDE + 1.6 * MARGIN}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" font-family="sans-serif" font-size="11">',
        f'<rect x="{left}" y="{top}" width="{SIDE}" height="{SIDE}" fill="#fff" stroke="#999"/>',
        f'<line x1="{left}" y1="{bottom}" x2="{right}" y2="{top}" stroke="#bbb" stroke-dasharray="4 4"/>',
        f'<text x="{middle}" y="{bottom + 34}" text-anchor="middle">{across}</text>',
        f'<g transform="rotate(-90 14 {centre})">',
        f'<text x="14" y="{centre}" text-anchor="middle">{up}</text></g>',
    ]
    for tick in (0, 0.25, 0.5, 0.75, 1):
        x, y = place(tick, tick)
        lines.append(f'<text x="{x}" y="{bottom + 16}" text-anchor="middle">{tick:g}</text>')
        lines.append(f'<text x="{left - 8}" y="{y + 4}" text-anchor="end">{tick:g}</text>')
    for at, (colour, (name, rows)) in enumerate(zip(COLOURS, tables.items(), strict=False)):
        points = " ".join("{:.1f},{:.1f}".format(*place(belief, share)) for belief, share, _ in rows)
        lines.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for belief, share, count in rows:
            x, y = place(belief, share)
            said = f"<title>{name}: {count}</title>"
            lines.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}">{said}</circle>')
        lines.append(f'<text x="{left + 10}" y="{top + 18 + 16 * at}" fill="{colour}">{name}</text>')
    return "\n".join([*lines, "</svg>", ""])
