#!/usr/bin/env python3
"""Makes the corpus of the readers' fuzzers anew: good-* must be read, bad-* must be refused. Needs NumPy."""

import io
import json
import os
import struct
import warnings
import zipfile

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ARRAY = np.arange(6, dtype="<f4").reshape(2, 3)


def put(path, content):
    with open(os.path.join(HERE, path), "wb") as file:
        file.write(content)


def npy(array, descr=None, shape=None, version=(1, 0)):
    """An .npy file whose header may claim another type and shape than the array has."""
    out = io.BytesIO()
    header = {"descr": descr or array.dtype.str, "fortran_order": False, "shape": shape or array.shape}
    np.lib.format._write_array_header(out, header, version)
    return out.getvalue() + array.tobytes()


def npz(entries, method=zipfile.ZIP_STORED, force_zip64=False):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, content in entries:
            info = zipfile.ZipInfo(name)
            info.compress_type = method
            with archive.open(info, "w", force_zip64=force_zip64) as file:
                file.write(content)
    return out.getvalue()


def safetensors(header, values):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + values


def tensor(begin, end, shape=(2, 3), dtype="F32"):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": [begin, end]}


def make_npy():
    put("npy/good-f4.npy", npy(ARRAY))
    put("npy/good-f2.npy", npy(ARRAY.astype("<f2")))
    put("npy/good-bf16.npy", npy(ARRAY.astype("<u2"), "<V2"))
    put("npy/good-version2.npy", npy(ARRAY, version=(2, 0)))
    put("npy/bad-big-endian.npy", npy(ARRAY.astype(">f4")))
    put("npy/bad-f8.npy", npy(ARRAY.astype("<f8")))
    put("npy/bad-2to60.npy", npy(ARRAY, shape=(1, 1 << 60)))
    put("npy/bad-overflow.npy", npy(ARRAY, shape=(1 << 32, (1 << 32) + 6)))
    put("npy/bad-cut.npy", npy(ARRAY)[:-1])
    put("npy/bad-nan.npy", npy(ARRAY * np.float32("nan")))


def make_npz():
    two = [("0.npy", npy(ARRAY)), ("1.npy", npy(ARRAY + 1))]
    layers = [(f"{i}/{name}.npy", npy(ARRAY)) for i in (3, 4) for name in ("w", "b")]
    deflated = zipfile.ZIP_DEFLATED
    put("npz/good-stored.npz", npz(two))
    put("npz/good-deflated.npz", npz(two, deflated))
    put("npz/good-zip64.npz", npz(two, force_zip64=True))
    put("npz/good-layers.npz", npz(layers, deflated))
    put("npz/bad-twice.npz", npz([two[0], two[0]]))
    put("npz/bad-traversal.npz", npz([("../0.npy", npy(ARRAY))]))
    put("npz/bad-absolute.npz", npz([("/0.npy", npy(ARRAY))]))
    put("npz/bad-method.npz", npz(two, zipfile.ZIP_BZIP2))
    put("npz/bad-no-array.npz", npz([("readme.txt", b"text")]))
    put("npz/bad-bomb.npz", npz([("0.npy", npy(ARRAY) + bytes(1 << 20))], deflated))
    put("npz/bad-cut.npz", npz(two)[:-10])
    good = npz([two[0]], deflated)
    directory = good.rindex(b"PK\x01\x02")
    put("npz/bad-size-lies.npz", good[: directory + 24] + struct.pack("<I", 1 << 30) + good[directory + 28 :])
    put("npz/bad-checksum.npz", good[: directory + 16] + b"\0\0\0\0" + good[directory + 20 :])


def make_safetensors():
    values = ARRAY.tobytes()
    put("safetensors/good-one.safetensors", safetensors({"0": tensor(0, 24)}, values))
    put("safetensors/good-metadata.safetensors", safetensors({"__metadata__": {"a": "b"}, "0": tensor(0, 24)}, values))
    put(
        "safetensors/good-layers.safetensors",
        safetensors(
            {
                "3/w": tensor(0, 24),
                "3/b": tensor(24, 28, (2,), "BF16"),
                "4/w": tensor(28, 52),
                "4/b": tensor(52, 56, (2,), "BF16"),
            },
            values + bytes(4) + values + bytes(4),
        ),
    )
    put("safetensors/bad-overlap.safetensors", safetensors({"0": tensor(0, 24), "1": tensor(0, 24)}, values * 2))
    put("safetensors/bad-gap.safetensors", safetensors({"0": tensor(0, 24), "1": tensor(32, 56)}, values * 3))
    put("safetensors/bad-beyond.safetensors", safetensors({"0": tensor(0, 1 << 60, (1, 1 << 58))}, values))
    put("safetensors/bad-descending.safetensors", safetensors({"0": tensor(24, 0)}, values))
    put("safetensors/bad-shape.safetensors", safetensors({"0": tensor(0, 24, (1 << 32, (1 << 32) + 6))}, values))
    put(
        "safetensors/bad-twice.safetensors",
        safetensors(
            b'{"0":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},'
            b'"0":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}}',
            values,
        ),
    )
    put("safetensors/bad-f64.safetensors", safetensors({"0": tensor(0, 48, dtype="F64")}, values * 2))
    put("safetensors/bad-length.safetensors", struct.pack("<Q", 1 << 60) + b"{}")
    put("safetensors/bad-json.safetensors", safetensors(b"[[[[[[[[[[1", b""))


for folder in ("npy", "npz", "safetensors"):
    os.makedirs(os.path.join(HERE, folder), exist_ok=True)
make_npy()
make_npz()
make_safetensors()
