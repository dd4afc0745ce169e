"""Neighbouring numbers taken together."""


def runs(numbers):
    """First and last of each run of ascending whole numbers: 3, 4, 5, 9 gives [3, 5] and [9, 9]."""
    found = []
    for number in numbers:
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return found
