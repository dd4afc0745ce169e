"""One drawing for each part of the model: a function of this list draws docs/figures/NAME.svg."""

from .sheet import BLUE, GREEN, GREY, INK, ORANGE, Sheet


def machine():
    """The path of a gradient from the memory of one GPU to that of the next."""
    sheet = Sheet(17, 6.6)
    for x, name in ((0.1, "node 0"), (11.7, "node 1")):
        sheet.box(x, 0.2, 5.2, 6.1, colour=GREY)
        sheet.text(x + 0.15, 6.0, name, GREY, align="left")
    for y, left, right, colour in (
        (4.6, "GPU memory\nfp32 gradients", "GPU memory\nsums", INK),
        (3.1, "DMA read", "DMA write", INK),
        (1.6, "encoder\n(ASC, 64 lanes)", "decoder\nand adder", BLUE),
        (0.4, "NIC", "NIC", INK),
    ):
        sheet.box(0.5, y, 3.0, 0.8 if y < 1 else 1.0, left, colour)
        sheet.box(12.6, y, 3.0, 0.8 if y < 1 else 1.0, right, colour)
    for start, end, words in ((4.6, 4.1, ""), (3.1, 2.6, "codes, int8"), (1.6, 1.2, "bytes")):
        sheet.arrow((2, start), (2, end))
        sheet.text(2.2, (start + end) / 2, words, size=8, align="left")
    for start, end, words in ((1.2, 1.6, "bytes"), (2.6, 3.1, "sums of codes"), (4.1, 4.6, "")):
        sheet.arrow((14.1, start), (14.1, end))
        sheet.text(14.3, (start + end) / 2, words, size=8, align="left")
    sheet.box(7.0, 0.3, 3.0, 1.0, "switch", ORANGE)
    sheet.arrow((3.5, 0.8), (7.0, 0.8))
    sheet.arrow((10.0, 0.8), (12.6, 0.8))
    for x in (6.15, 10.85):
        sheet.text(x, 1.05, "link", size=8)
    sheet.arrow((7.0, 0.5), (5.35, 0.5), colour=GREY, dashed=True)
    sheet.arrow((11.6, 0.5), (10.0, 0.5), colour=GREY, dashed=True)
    sheet.text(6.15, 0.25, "credits", GREY, 8)
    sheet.text(10.85, 0.25, "credits", GREY, 8)
    sheet.text(8.5, 1.6, "packets and flits", size=8)
    sheet.box(
        6.2,
        3.2,
        4.6,
        1.6,
        "both ends learn the same tables\nfrom what the link carried\none iteration earlier",
        GREEN,
        8,
    )
    sheet.arrow((6.2, 3.7), (3.5, 2.3), colour=GREEN, dashed=True)
    sheet.arrow((10.8, 3.7), (12.6, 2.3), colour=GREEN, dashed=True)
    sheet.arrow((15.6, 2.1), (16.7, 2.1))
    sheet.text(16.2, 1.65, "next\nstep", size=8)
    return sheet


def gradients():
    """Four ranks agree on a peak; one axis shows which code a value becomes."""
    sheet = Sheet(16, 4.4)
    for rank, peak in enumerate((0.8, 1.0, 0.6, 0.9)):
        y = 3.4 - 0.95 * rank
        sheet.box(0.2, y, 3.4, 0.75, f"rank {rank}: peak {peak}", size=8)
        sheet.arrow((3.6, y + 0.38), (5.0, 2.2), colour=BLUE if peak == 1.0 else GREY)
    sheet.box(5.0, 1.7, 2.6, 1.0, "shared peak\n1.0", BLUE)
    sheet.arrow((7.6, 2.2), (8.7, 2.2), "step =\n1.0 / 127", side=0.9)
    sheet.arrow((8.8, 1.4), (15.8, 1.4))
    for x, code, value in ((9.2, "-127", "-1.0"), (11.6, "0", "0"), (12.8, "64", "0.5"), (14.0, "127", "1.0")):
        sheet.line((x, 1.3), (x, 1.5), colour=INK)
        sheet.text(x, 1.0, code, BLUE, 8)
        sheet.text(x, 1.8, value, size=8)
    sheet.text(10.4, 1.0, "codes", BLUE, 8)
    sheet.text(15.3, 1.8, "1.3", ORANGE, 8)
    sheet.arrow((15.3, 2.1), (14.1, 2.1), colour=ORANGE)
    sheet.text(14.6, 2.6, "saturates at 127", ORANGE, 8)
    sheet.text(10.4, 1.8, "gradients", size=8)
    return sheet


def chunks():
    """Above, four chunks of equal size; below, four of equal cost."""
    sheet = Sheet(16, 5.2)
    cost = (9, 8, 6, 6, 4, 3, 3, 2, 2, 2, 2, 1)  # of twelve blocks, in units
    for y, title, cuts in ((3.0, "equal", (0, 3, 6, 9, 12)), (0.5, "predicted", (0, 1.4, 3.0, 5.1, 12))):
        sheet.text(1.1, y + 0.5, f"chunks:\n{title}")
        for block, height in enumerate(cost):
            sheet.bar(2.4 + 0.6 * block, y, 0.6, 0.16 * height, colour=GREY)
        for cut in cuts:
            sheet.line((2.4 + 0.6 * cut, y - 0.15), (2.4 + 0.6 * cut, y + 1.7), colour=ORANGE, width=1.6)
        for number, (first, last) in enumerate(zip(cuts, cuts[1:])):
            total = sum(c * max(0, min(last, b + 1) - max(first, b)) for b, c in enumerate(cost))
            sheet.bar(11.4, y + 1.2 - 0.45 * number, 0.17 * total, 0.36)
            sheet.text(11.2, y + 1.4 - 0.45 * number, f"chunk {number}", size=7, align="right")
    sheet.text(6.0, 4.95, "predicted cost of the blocks of a bucket", size=8)
    sheet.text(13.4, 4.95, "coded bytes of the messages", size=8)
    return sheet


def codecs():
    """From a value to the bytes of a block."""
    sheet = Sheet(16, 5.0)
    sheet.box(0.2, 3.3, 1.8, 1.0, "value\n-5")
    sheet.arrow((2.0, 4.0), (3.2, 4.2))
    sheet.arrow((2.0, 3.6), (3.2, 3.3))
    sheet.box(3.2, 3.85, 4.4, 0.8, "row 3:  4 ≤ |v| < 8", BLUE)
    sheet.box(3.2, 2.85, 4.4, 0.8, "offset:  sign -, then 01", GREEN)
    sheet.arrow((7.6, 4.25), (9.2, 4.25))
    sheet.arrow((7.6, 3.25), (9.2, 3.25))
    sheet.box(9.2, 3.85, 6.4, 0.8, "arithmetic coder, table of 16 rows", BLUE)
    sheet.box(9.2, 2.85, 6.4, 0.8, "3 bits as they are", GREEN)
    parts = (
        (2.2, "header\n16 bytes", GREY),
        (2.6, "lengths of\nall streams", GREY),
        (1.9, "lane 0\nrows", BLUE),
        (1.9, "lane 0\noffsets", GREEN),
        (1.9, "lane 1\nrows", BLUE),
        (1.9, "lane 1\noffsets", GREEN),
        (1.0, "…", INK),
    )
    x = 1.6
    for width, words, colour in parts:
        sheet.bar(x, 0.6, width, 1.1, words, colour)
        x += width
    sheet.text(0.8, 1.15, "block")
    sheet.text(8.0, 0.25, "value j goes to lane j mod (number of lanes)", GREY, 8)
    return sheet


def tables():
    """What a link carried in one iteration makes the table of the next at both of its ends."""
    sheet = Sheet(16, 5.4)
    for x, iteration in ((0.2, "iteration t-1"), (8.4, "iteration t")):
        sheet.text(x + 3.7, 5.1, iteration)
        sheet.box(x + 0.1, 3.6, 2.0, 1.0, "rank 2\nsends")
        sheet.box(x + 5.3, 3.6, 2.0, 1.0, "rank 3\nreceives")
    sheet.arrow((2.3, 4.1), (5.5, 4.1), "3  0  -1  0  5  …")
    sheet.arrow((10.5, 4.1), (13.7, 4.1), "coded bytes, no table")
    for x in (0.4, 5.6):
        sheet.arrow((x + 0.9, 3.6), (x + 0.9, 2.7), colour=GREEN)
        for row, height in enumerate((1.5, 1.0, 0.7, 0.4, 0.2)):
            sheet.bar(x + 0.35 * row, 1.1, 0.35, height, colour=GREEN)
        sheet.text(x + 0.9, 0.75, "histogram", size=8)
        sheet.arrow((x + 1.9, 1.6), (x + 8.9, 3.55), colour=GREEN, dashed=True)
    sheet.text(8.0, 0.4, "equal at both ends, because both saw the same integers in the same timestep", GREEN, 8)
    return sheet


def gpu():
    """The memory, the kernels and both DMA channels."""
    sheet = Sheet(16, 4.6)
    sheet.box(0.3, 0.4, 3.2, 3.8, "GPU memory", GREY)
    sheet.box(5.0, 3.0, 3.4, 1.0, "kernel: quantise\n(gradients: codes)", ORANGE, 8)
    sheet.box(5.0, 0.6, 3.4, 1.0, "kernel: dequantise\n(gradients: codes)", ORANGE, 8)
    sheet.box(10.0, 3.0, 2.6, 1.0, "DMA read\nchannel", BLUE)
    sheet.box(10.0, 0.6, 2.6, 1.0, "DMA write\nchannel", BLUE)
    sheet.box(14.0, 0.4, 1.8, 3.8, "NIC")
    for y, forward in ((3.5, True), (1.1, False)):
        for left, right in ((3.5, 5.0), (8.4, 10.0), (12.6, 14.0)):
            sheet.arrow((left, y) if forward else (right, y), (right, y) if forward else (left, y))
    sheet.line((3.5, 2.6), (11.3, 2.6), dashed=True, width=1.1)
    sheet.arrow((11.3, 2.6), (11.3, 3.0), colour=GREY)
    sheet.line((11.3, 1.6), (11.3, 2.0), (4.0, 2.0), dashed=True, width=1.1)
    sheet.arrow((4.1, 2.0), (3.5, 2.0), colour=GREY)
    sheet.text(7.4, 2.3, "fp32, past the kernels (gradients: fp32)", GREY, 8)
    return sheet


def engine():
    """The arrays of lanes between DMA and NIC."""
    sheet = Sheet(16, 5.4)
    for y, name, colour in ((3.3, "encoder", BLUE), (0.6, "decoder", GREEN)):
        sheet.box(4.6, y, 5.2, 1.6, colour=colour)
        sheet.text(7.2, y + 1.35, name)
        for lane, words in enumerate(("lane 0", "lane 1", "…", "lane L-1")):
            sheet.box(4.75 + 1.24 * lane, y + 0.2, 1.16, 0.8, words, size=7)
    sheet.box(0.3, 3.5, 2.4, 1.1, "DMA read", GREY)
    sheet.box(0.3, 0.8, 2.4, 1.1, "DMA write", GREY)
    sheet.box(13.2, 3.5, 2.4, 1.1, "NIC sends", GREY)
    sheet.box(13.2, 0.8, 2.4, 1.1, "NIC receives", GREY)
    sheet.arrow((2.7, 4.1), (4.6, 4.1), "values")
    sheet.arrow((9.8, 4.1), (13.2, 4.1), "blocks")
    sheet.arrow((13.2, 1.4), (9.8, 1.4), "blocks")
    sheet.arrow((4.6, 1.4), (2.7, 1.4), "sums")
    sheet.arrow((5.2, 2.2), (5.2, 3.3))
    sheet.text(4.95, 2.75, "sums to send on", size=8, align="right")
    sheet.box(6.4, 2.4, 3.4, 0.7, "table and mask SRAM", ORANGE, 8)
    return sheet


def nic():
    """Queues take turns on the link; what arrives is decoded and added."""
    sheet = Sheet(16, 5.0)
    for number, words in enumerate(("peer 1, channel 0", "peer 1, channel 1", "peer 2, channel 0")):
        y = 4.1 - 0.75 * number
        sheet.text(0.2, y + 0.25, words, size=8, align="left")
        for packet in range(3 - number % 2):
            sheet.bar(6.2 - 0.9 * packet, y, 0.8, 0.5, "packet", size=6)
        sheet.arrow((7.0, y + 0.25), (8.6, 3.6), colour=GREY)
    sheet.box(8.6, 3.1, 3.0, 1.0, "round robin\nby packet", ORANGE)
    sheet.arrow((11.6, 3.6), (15.6, 3.6), "link, if it has credit")
    sheet.arrow((15.6, 1.1), (12.8, 1.1), "link")
    sheet.box(9.8, 0.6, 3.0, 1.0, "reassembly of\nmessages")
    sheet.arrow((9.8, 1.1), (8.4, 1.1), "blocks")
    sheet.box(5.8, 0.6, 2.6, 1.0, "decoder", GREEN)
    sheet.arrow((5.8, 1.1), (4.4, 1.1), "values")
    sheet.box(1.6, 0.6, 2.8, 1.0, "reduce unit:\nadds local values", BLUE, 8)
    return sheet


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


def collectives():
    """Chunk 0 of a ring of four ranks, timestep by timestep."""
    sheet = Sheet(16, 5.6)
    names = ("0", "0+1", "0+1+2", "all", "all", "all")  # ranks whose values the message holds
    for rank in range(4):
        sheet.text(0.9, 4.0 - rank, f"rank {rank}", size=8)
        sheet.line((1.7, 4.0 - rank), (15.7, 4.0 - rank))
    for step, held in enumerate(names):
        x, sender = 2.2 + 2.25 * step, step % 4
        start, end = 4.0 - sender, 4.0 - (sender + 1) % 4
        colour = BLUE if step < 3 else GREEN
        sheet.text(x + 0.8, 4.75, f"timestep {step}", size=8)
        sheet.arrow((x, start), (x + 1.6, end), colour=colour)
        beside = (
            (x + 1.0, max(start, end) - 0.25) if step != 3 else (x + 0.3, 2.55)
        )  # the long arrow has room on its left
        sheet.text(*beside, held, colour, 8, align="left")
    sheet.line((8.75, 0.6), (8.75, 5.1), dashed=True)
    sheet.text(5.2, 5.3, "reduce-scatter: partial sums of chunk 0", BLUE)
    sheet.text(12.3, 5.3, "all-gather: its final sum", GREEN)
    sheet.text(8.7, 0.25, "the other chunks do the same, one rank further each", GREY, 8)
    return sheet


def training_step():
    """The last AllReduces are exposed."""
    sheet = Sheet(16, 4.4)
    sheet.text(1.0, 3.2, "GPU")
    sheet.text(1.0, 1.8, "network")
    sheet.bar(2.0, 2.8, 2.4, 0.8, "forward", GREY)
    for number in range(4):
        sheet.bar(4.4 + 1.4 * number, 2.8, 1.4, 0.8, f"backward {3 - number}", size=6)
    start = 5.8
    for number in range(4):
        begin = max(start, 5.8 + 1.4 * number)
        sheet.bar(begin, 1.4, 1.7, 0.8, f"bucket {3 - number}", GREEN, 7)
        sheet.line((5.8 + 1.4 * number, 2.8), (begin, 2.2), dashed=True)
        start = begin + 1.7
    sheet.bar(start, 2.8, 1.6, 0.8, "optimiser", GREY, 7)
    sheet.line((10.0, 0.9), (10.0, 1.3), colour=ORANGE)  # not through the bucket between
    sheet.line((10.0, 2.3), (10.0, 3.9), colour=ORANGE)
    sheet.line((start, 0.9), (start, 3.9), colour=ORANGE)
    sheet.arrow((10.0, 1.0), (start, 1.0), "exposed", ORANGE, side=-0.25)
    sheet.arrow((13.8, 0.4), (15.6, 0.4), "time", side=0.2)
    return sheet


def lossy():
    """What a compressor takes and gives in a step."""
    sheet = Sheet(16, 4.2)
    sheet.box(0.3, 2.4, 3.0, 1.2, "gradients\nof all ranks")
    sheet.box(5.6, 2.0, 3.8, 1.6, "compressor\n(top_k, power_sgd, …)", BLUE)
    sheet.arrow((3.3, 3.0), (5.6, 3.0), "+ residual")
    sheet.box(12.0, 3.2, 3.7, 0.8, "mean of all ranks")
    sheet.box(12.0, 2.2, 3.7, 0.8, "exchanges and bytes", size=8)
    sheet.box(12.0, 1.2, 3.7, 0.8, "operations of the GPU", size=8)
    for y in (3.6, 2.6, 1.6):
        sheet.arrow((9.4, 2.8), (12.0, y))
    sheet.line((7.5, 2.0), (7.5, 0.7), (4.4, 0.7), colour=ORANGE)
    sheet.arrow((4.4, 0.7), (4.4, 3.0), colour=ORANGE)
    sheet.text(6.0, 0.4, "residual: what was not sent", ORANGE, 8)
    return sheet


def time():
    """Two critical paths by their causes."""
    sheet = Sheet(16, 3.6)
    causes = (("link", BLUE), ("engine", GREEN), ("dma", ORANGE), ("latency", GREY), ("wait", INK))
    for y, method, lengths in ((2.3, "fp32", (6.2, 0.5, 0.8, 3.2, 0.4)), (1.0, "coded", (2.3, 1.2, 0.8, 3.2, 1.0))):
        sheet.text(1.0, y + 0.4, method)
        x = 2.2
        for (cause, colour), length in zip(causes, lengths):
            sheet.bar(x, y, length, 0.8, cause if length > 1.1 else "", colour)
            x += length
        sheet.text(x + 0.2, y + 0.4, "bottleneck: " + ("link" if method == "fp32" else "latency"), size=8, align="left")
    for number, (cause, colour) in enumerate(causes):
        sheet.bar(3.2 + 2.2 * number, 0.2, 0.4, 0.3, colour=colour)
        sheet.text(3.75 + 2.2 * number, 0.35, cause, size=8, align="left")
    return sheet


def prediction():
    """The four parts of the cost of a step."""
    sheet = Sheet(16, 4.4)
    for y, words in ((3.5, "sender"), (2.4, "link"), (1.3, "receiver")):
        sheet.text(1.2, y, words)
    sheet.bar(2.4, 3.1, 2.4, 0.7, "lead", ORANGE)
    for packet in range(4):
        sheet.bar(4.8 + 1.2 * packet, 2.0, 1.2, 0.7, "packet", size=7)
    sheet.bar(9.6, 2.0, 2.0, 0.7, "path", GREY)
    sheet.bar(11.6, 0.9, 2.6, 0.7, "tail", GREEN)
    sheet.text(3.6, 4.1, "DMA, encoder, NIC", ORANGE, 8)
    sheet.text(7.2, 2.95, "packets", BLUE, 8)
    sheet.text(10.6, 2.95, "cables, switch", GREY, 8)
    sheet.text(12.9, 1.85, "NIC, last block", GREEN, 8)
    sheet.text(8.8, 0.35, "step = lead + link + path + tail", size=9)
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


def peeling():
    """A cell with one element reveals it."""
    sheet = Sheet(16, 4.2)
    panels = (
        ("three elements in two rows of cells", ("a + b", "c", "", "a", "b + c", "")),
        ("a and c are read and subtracted", ("b", "", "", "", "b", "")),
        ("b is read and subtracted", ("", "", "", "", "", "")),
    )
    for number, (title, cells) in enumerate(panels):
        x = 0.3 + 5.4 * number
        sheet.text(x + 2.3, 3.8, title, size=8)
        for cell, words in enumerate(cells):
            sheet.bar(
                x + 1.5 * (cell % 3),
                2.2 - 1.1 * (cell // 3),
                1.4,
                0.9,
                words,
                GREEN if words and "+" not in words else GREY,
            )
        if number:
            sheet.arrow((x - 0.8, 1.9), (x - 0.1, 1.9))
    sheet.text(
        8.0, 0.45, "an element that is alone in a cell is read there and subtracted from its other cells", GREY, 8
    )
    return sheet


PARTS = {
    "machine": machine,
    "gradients": gradients,
    "chunks": chunks,
    "codecs": codecs,
    "tables": tables,
    "gpu": gpu,
    "engine": engine,
    "nic": nic,
    "network": network,
    "flow-control": flow_control,
    "in-network": in_network,
    "router": router,
    "collectives": collectives,
    "training-step": training_step,
    "lossy": lossy,
    "peeling": peeling,
    "time": time,
    "prediction": prediction,
}
