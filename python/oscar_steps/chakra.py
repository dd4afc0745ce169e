"""A training step from an execution trace of Chakra: nodes of computation and communication, and what each waits for.

Source: MLCommons Chakra, schema/protobuf/et_def.proto. Files are messages of protobuf, each behind its length, or what
the jsonizer makes of them. Only a few fields of two messages are needed, so their wire format is read here.
"""

import json
import re
from collections import Counter

from oscar_steps.step import Step, StepError, chosen, listed
from oscar_summary import user_file

WHAT = "an execution trace of Chakra"

BLANKS = re.compile(r"\s*")
COMPUTE, COLLECTIVE = ("MEM_LOAD_NODE", "MEM_STORE_NODE", "COMP_NODE"), "COMM_COLL_NODE"
TYPES = dict(
    enumerate(
        "INVALID_NODE METADATA_NODE MEM_LOAD_NODE MEM_STORE_NODE COMP_NODE COMM_SEND_NODE COMM_RECV_NODE "
        "COMM_COLL_NODE STORAGE_NODE BATCH_NODE CHECKPOINT_NODE".split()
    )
)
OPERATIONS = dict(
    enumerate(
        "all_reduce reduce all_gather gather scatter broadcast all_to_all reduce_scatter reduce_scatter barrier".split()
    )
)


class _Bytes:
    """What is left of a message of protobuf."""

    def __init__(self, data, place):
        self.data, self.at, self.place = data, 0, place

    def fail(self, what):
        raise StepError(f"{self.place}, byte {self.at}: {what}; name a file of Chakra's schema, written to its end")

    def varint(self):
        value = 0
        for shift in range(0, 70, 7):
            if self.at >= len(self.data):
                self.fail("ends within a number")
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value & (1 << 64) - 1
        return self.fail("has a number of more than ten bytes")

    def take(self, size):
        if size > len(self.data) - self.at:
            self.fail(f"{size} bytes are announced, and {len(self.data) - self.at} left")
        self.at += size
        return self.data[self.at - size : self.at]

    def fields(self):
        """(number, value) of each field: an int, or bytes."""
        while self.at < len(self.data):
            key = self.varint()
            number, wire = key >> 3, key & 7
            if wire == 0:
                yield number, self.varint()
            elif wire == 2:
                yield number, self.take(self.varint())
            elif wire in (1, 5):
                yield number, self.take(8 if wire == 1 else 4)
            else:
                self.fail(f"wire type {wire}")


def _attribute(data, place):
    """Name and whole number of an attribute; None where it is none."""
    name, value = "", None
    for number, found in _Bytes(data, place).fields():
        if number == 1 and isinstance(found, bytes):
            name = found.decode("utf-8", "replace")
        elif number in (7, 9) and isinstance(found, int):  # int32, int64
            value = found - (1 << 64) if found >> 63 else found
        elif number in (11, 13) and isinstance(found, int):  # uint32, uint64
            value = found
    return name, value


def _numbers(found, place):
    """Of a repeated field: one number, or several packed."""
    if isinstance(found, int):
        return [found]
    packed, numbers = _Bytes(found, place), []
    while packed.at < len(packed.data):
        numbers.append(packed.varint())
    return numbers


def _node_of_bytes(data, place):
    node = {"id": 0, "name": "", "type": "INVALID_NODE", "deps": [], "duration": 0, "attributes": {}}
    for number, found in _Bytes(data, place).fields():
        if number in (1, 3, 7) and not isinstance(found, int) or number in (2, 10) and not isinstance(found, bytes):
            raise StepError(f"{place}: field {number} is of another type; name a file of Chakra's schema")
        if number == 1:
            node["id"] = found
        elif number == 2:
            node["name"] = found.decode("utf-8", "replace")
        elif number == 3:
            node["type"] = TYPES.get(found, "INVALID_NODE")
        elif number in (4, 5):
            node["deps"] += _numbers(found, place)
        elif number == 7:
            node["duration"] = found
        elif number == 10:
            name, value = _attribute(found, place)
            node["attributes"][name] = value
    return node


def _whole(value, place, key):
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        number = None
    if number is None or abs(number) >= 1 << 64:
        raise StepError(f"{place}: {key} is {str(value)[:40]!r}; write a whole number of 64 bits")
    return number


def _node_of_json(found, place):
    def get(snake, camel, default):
        return found.get(snake, found.get(camel, default))

    deps = [*(get("ctrl_deps", "ctrlDeps", None) or []), *(get("data_deps", "dataDeps", None) or [])]
    attributes = {}
    for attribute in found.get("attr") or []:
        for key, value in attribute.items():
            if key.lower().replace("_", "") in ("int32val", "int64val", "uint32val", "uint64val"):
                attributes[attribute.get("name", "")] = _whole(value, place, key)
    return {
        "id": _whole(found.get("id", 0), place, "id"),
        "name": str(found.get("name", "")),
        "type": str(found.get("type", "INVALID_NODE")),
        "deps": [_whole(dep, place, "a dependency") for dep in deps],
        "duration": _whole(get("duration_micros", "durationMicros", 0), place, "duration_micros"),
        "attributes": attributes,
    }


def _nodes_of_json(text, path):
    decoder, at, line, nodes = json.JSONDecoder(), 0, 1, []
    while True:
        begin = BLANKS.match(text, at).end()
        line += text.count("\n", at, begin)
        if begin == len(text):
            return nodes
        try:
            found, at = decoder.raw_decode(text, begin)
        except json.JSONDecodeError as error:
            what = error.msg[:1].lower() + error.msg[1:]
            raise StepError(f"{path}:{error.lineno}:{error.colno}: {what}; convert the trace once more") from None
        except RecursionError:
            raise StepError(f"{path}:{line}: nested too deeply; convert the trace once more") from None
        except ValueError:  # Python converts at most 4,300 digits
            raise StepError(f"{path}:{line}: a number of too many digits; convert the trace once more") from None
        listed = found.get("nodes", [found]) if isinstance(found, dict) else found
        if not isinstance(listed, list):
            raise StepError(f"{path}:{line}: neither a node nor a list of nodes; write what Chakra's jsonizer writes")
        for node in listed:
            if not isinstance(node, dict):
                raise StepError(f"{path}:{line}: {str(node)[:40]!r} is no node; write what Chakra's jsonizer writes")
            if "type" in node or "id" in node:  # else the metadata
                try:
                    nodes.append(_node_of_json(node, f"{path}:{line}"))
                except (AttributeError, TypeError):
                    raise StepError(
                        f"{path}:{line}: a node of another shape; write what Chakra's jsonizer writes"
                    ) from None
        line += text.count("\n", begin, at)


def read(path):
    """The nodes of a file. InputError: it is none of Chakra's."""
    return nodes_of(user_file.content(path, WHAT), path)


def nodes_of(data, path):
    """The nodes in the bytes of a file. InputError: it is none of Chakra's."""
    if data.lstrip()[:1] in (b"{", b"["):
        return _nodes_of_json(user_file.decoded(data, path, WHAT), path)
    stream, nodes = _Bytes(data, str(path)), []
    if data:
        stream.take(stream.varint())  # GlobalMetadata
    while stream.at < len(data):
        nodes.append(_node_of_bytes(stream.take(stream.varint()), f"{path}, node {len(nodes)}"))
    return nodes


def _in_order(nodes):
    """Each node after those that it waits for. StepError: they wait in a circle, or for one that is not there."""
    by_id, state, order = {}, {}, []
    for node in nodes:
        if node["id"] in by_id:
            raise StepError(f"node {node['id']} stands there twice; give each an id of its own")
        by_id[node["id"]] = node
    for node in nodes:
        stack = [(node, iter(node["deps"]))] if node["id"] not in state else []
        state.setdefault(node["id"], "open")
        while stack:
            at, left = stack[-1]
            dep = next(left, None)
            if dep is None:
                state[at["id"]] = "done"
                order.append(at)
                stack.pop()
            elif dep not in by_id:
                raise StepError(f"node {at['id']} waits for {dep}, which is not there; write all nodes of the trace")
            elif state.get(dep) == "open":
                raise StepError(f"node {at['id']} waits for {dep}, which waits for it; leave out one dependency")
            elif dep not in state:
                state[dep] = "open"
                stack.append((by_id[dep], iter(by_id[dep]["deps"])))
    return order


def _refuse_without_collectives(nodes):
    """StepError where no node is a collective, with what the nodes are."""
    types = Counter(node["type"] for node in nodes)
    if not types[COLLECTIVE]:
        raise StepError(
            f"holds no node of type {COLLECTIVE}, but {listed(types)}; give a trace of Chakra whose gradients "
            "are reduced by collectives (a graph of PyTorch's ExecutionTraceObserver is converted by chakra_converter)"
        )


def step_of(nodes, least_bytes=65536):
    """The step of these nodes, each computed as soon as it may be. What waits for a collective is the optimiser.
    StepError: a collective waits for such a computation, so that this is no step of data parallelism."""
    _refuse_without_collectives(nodes)
    finish, after, collectives, passes, end = {}, {}, [], 0, 0
    for node in _in_order(nodes):
        start = max((finish[dep] for dep in node["deps"]), default=0)
        behind = max((after[dep] for dep in node["deps"]), default=0)  # 1: a collective, 2: computation behind one
        finish[node["id"]] = start
        if node["type"] == COLLECTIVE:
            if behind == 2:
                raise StepError(
                    f"node {node['id']} ({node['name'][:40]}): a collective that waits for a computation that waits "
                    "for another; give a trace of data parallelism alone"
                )
            size = node["attributes"].get("comm_size")
            if not isinstance(size, int) or size < 0:
                raise StepError(f"node {node['id']}: a collective without comm_size; write its bytes")
            kind = OPERATIONS.get(node["attributes"].get("comm_type") or 0, "unnamed")
            collectives.append((kind, size // 4, float(start)))
            behind = 1
        elif node["type"] in COMPUTE:
            if node["duration"] < 0:
                raise StepError(f"node {node['id']}: takes {node['duration']} us; write a time of 0 or more")
            finish[node["id"]] = start + node["duration"]
            behind = 2 if behind else 0
            end = max(end, finish[node["id"]])
            if behind == 0:
                passes = max(passes, finish[node["id"]])
        after[node["id"]] = behind
    collectives.sort(key=lambda collective: collective[2])
    buckets, sharded, notes = chosen(collectives, least_bytes)
    notes.append("the forward pass is counted as part of the backward pass: a trace of Chakra does not tell them apart")
    return Step(buckets, backward=float(passes), optimiser=float(max(0, end - passes)), sharded=sharded, notes=notes)
