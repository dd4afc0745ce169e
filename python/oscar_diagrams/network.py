"""What packets cross: links with their flow control, switches that add, routers."""

from .sheet import BLUE, GREEN, GREY, INK, ORANGE, Sheet


def network():
    """A packet in space and time: two links and a cut-through switch."""
    sheet = Sheet(16, 5.2)
    for y, name in ((4.4, "NIC 0"), (2.6, "switch"), (0.8, "NIC 1")):
        sheet.text(0.9, y, name)
        sheet.line((1.8, y), (15.6, y), colour=INK)
    sheet.shape(((2.4, 4.4), (5.4, 4.4), (7.4, 2.6), (4.4, 2.6)))
    sheet.shape(((5.6, 2.6), (8.6, 2.6), (10.6, 0.8), (7.6, 0.8)))
    sheet.text(3.9, 4.7, "serialization", BLUE, 8)
    sheet.text(2.5, 3.2, "propagation", size=8)
    sheet.text(5.0, 1.7, "switch\nlatency", size=8)
    sheet.line((4.4, 2.6), (4.4, 2.0))
    sheet.line((5.6, 2.6), (5.6, 2.0))
    sheet.arrow((8.6, 2.6), (10.6, 4.4), colour=ORANGE, dashed=True)
    sheet.text(11.6, 3.4, "credit returns", ORANGE, 8)
    sheet.text(10.6, 0.45, "last bit", size=8)
    sheet.arrow((13.6, 0.3), (15.6, 0.3), "time", side=0.2)
    return sheet


def flow_control():
    """What a sender does when the receive buffer is full."""
    sheet = Sheet(16, 4.6)
    panels = (
        ("credit", "waits: it knows that\nthere is no room", "credits return", GREEN),
        ("pfc", "sends until the\npause arrives", "pause at Xoff", ORANGE),
        ("lossy", "sends on", "drops; repair: go-back-N,\nselective, link retry", GREY),
    )
    for number, (kind, sender, receiver, colour) in enumerate(panels):
        x = 0.3 + 5.3 * number
        sheet.text(x + 2.4, 4.3, f"flow_control: {kind}")
        sheet.box(x, 2.7, 4.8, 1.1, f"sender {sender}", size=8)
        sheet.arrow((x + 1.2, 2.7), (x + 1.2, 1.9))
        sheet.arrow((x + 3.6, 1.9), (x + 3.6, 2.7), colour=colour, dashed=True)
        sheet.text(x + 1.0, 2.3, "packets", size=7, align="right")
        for slot in range(4):
            sheet.bar(x + 1.2 * slot, 1.2, 1.2, 0.7, "packet", size=7)
        sheet.text(x + 2.4, 0.6, receiver, colour, 8)
    return sheet


def in_network():
    """Sums travel up a tree of switches, the whole sum down."""
    sheet = Sheet(16, 5.2)
    sheet.box(6.5, 4.0, 3.0, 0.9, "switch: root adds", ORANGE, 8)
    for number, x in enumerate((2.5, 10.5)):
        sheet.box(x, 2.1, 3.0, 0.9, "switch adds", ORANGE, 8)
        up, down = ((4.0, 3.0), (6.9, 4.0)), ((7.4, 4.0), (4.6, 3.0))
        if number:
            up, down = ((12.0, 3.0), (9.1, 4.0)), ((8.6, 4.0), (11.4, 3.0))
        sheet.arrow(*up)
        sheet.arrow(*down, colour=BLUE, dashed=True)
        for side in (0, 1):
            rank, left = 2 * number + side, x - 1.5 + 3.6 * side
            sheet.box(left, 0.2, 2.4, 0.9, f"rank {rank}")
            sheet.arrow((left + 1.0, 1.1), (x + 0.9 + 1.0 * side, 2.1))
            sheet.arrow((x + 1.1 + 1.0 * side, 2.1), (left + 1.4, 1.1), colour=BLUE, dashed=True)
    sheet.text(2.6, 4.3, "up: sums of more\nand more ranks", size=8)
    sheet.text(13.4, 4.3, "down: the whole sum,\ncopied for each child", BLUE, 8)
    return sheet


def router():
    """Cycles of a head flit and of the flit behind it."""
    sheet = Sheet(16, 3.4)
    stages = (
        ("route", GREY),
        ("VC\nallocation", ORANGE),
        ("switch\nallocation", ORANGE),
        ("switch\ntraversal", BLUE),
        ("link", GREEN),
    )
    for y, name, first in ((2.0, "head flit", 0), (0.8, "body flit", 2)):
        sheet.text(1.4, y + 0.4, name)
        for number, (stage, colour) in enumerate(stages[first:]):
            sheet.bar(2.8 + 2.1 * (number + first + (1 if first else 0)), y, 2.1, 0.9, stage, colour)
    for cycle in range(6):
        sheet.text(3.85 + 2.1 * cycle, 3.15, f"cycle {cycle}", GREY, 8)
    sheet.text(8.0, 0.35, "VC: virtual channel", GREY, 8)
    return sheet
