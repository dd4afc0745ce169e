"""What a node is made of: the machine as a whole, GPU, engine and NIC."""

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
