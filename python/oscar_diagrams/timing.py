"""What happens when: steps of a collective and of a training, and where their time goes."""

from .sheet import BLUE, GREEN, GREY, INK, ORANGE, Sheet


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
