# labels.py - what tests of pictures share: the boxes of labels, as bench/tool/svg.h estimates them.
#
# python3 labels.py FILE.svg ...: status 1 if a label lies beyond a picture's edge or on another one, or there
# are none.
import re
import sys
import xml.etree.ElementTree as tree

S = "{http://www.w3.org/2000/svg}"


def width(letter):
    return (.33 if letter in "ijl.,:;'|! " else .42 if letter in "frtI()[]/-"
            else .92 if letter in "mwMW%@=+<>&" else .74 if letter.isascii() and letter.isupper() else .635)


def labels(file):
    """The picture's width and height; text, class, x, left, top, right, bottom of each label with letters."""
    root = tree.parse(file).getroot()
    size = float(re.search(r"text\{font-size:([\d.]+)px", root.find(S + "style").text).group(1))
    found = []

    def within(node, x, y):
        moved = re.match(r"translate\((-?[\d.]+) (-?[\d.]+)\)", node.get("transform") or "")
        if moved:
            x, y = x + float(moved.group(1)), y + float(moved.group(2))
        if node.tag == S + "text":
            text, kind = "".join(node.itertext()), (node.get("class") or "").split()
            smaller = re.search(r"font-size:([\d.]+)px", node.get("style") or "")
            high = float(smaller.group(1)) if smaller else 9 if "source" in kind else size
            wide = sum(map(width, text)) * high * (1.14 if "title" in kind else 1)
            at, base = x + float(node.get("x")), y + float(node.get("y"))
            left = at - wide * {"end": 1, "middle": .5}.get(node.get("text-anchor"), 0)
            if text.strip():
                found.append((text, kind, at, left, base - .75 * high, left + wide, base + .1 * high))
        for child in node:
            within(child, x, y)

    within(root, 0, 0)
    return *map(float, root.get("viewBox").split()[2:]), found


def check(file):
    wide, high, found = labels(file)
    assert found, file + ": no labels"
    for i, (text, _, _, left, top, right, bottom) in enumerate(found):
        inside = -1 <= left and right <= wide + 1 and 0 <= top and bottom <= high
        assert inside, (file, "outside", text, left, right, wide, top, bottom)
        for other, _, _, l, t, r, b in found[:i]:
            assert right <= l or r <= left or bottom <= t or b <= top, (file, "overlap", text, other)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        check(name)
