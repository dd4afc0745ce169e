"""What becomes of values: codes, chunks, bytes and tables, and lossy methods."""

from .sheet import BLUE, GREEN, GREY, INK, ORANGE, Sheet


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
