"""Small .npz data sets, also such as no program would write, from Python's struct and zipfile alone."""
import random
import struct
import zipfile


def npy(descr, shape, data):
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {tuple(shape)}, }}".encode()
    header += b" " * ((-len(header) - 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


def write(path, **arrays):
    with zipfile.ZipFile(path, "w") as file:
        for name, array in arrays.items():
            file.writestr(name + ".npy", array)


def pixels(shape, seed=1):
    cells = 1
    for extent in shape:
        cells *= extent
    draw = random.Random(seed)
    return npy("<f4", shape, struct.pack(f"<{cells}f", *(draw.random() for _ in range(cells))))


def labels(values, descr="|u1", code="B"):
    return npy(descr, (len(values),), struct.pack(f"<{len(values)}{code}", *values))


def random_set(path, examples=40, image=(2, 4, 8), classes=3, seed=1):
    """Images of noise, of which the last fifth is held out for tests."""
    draw = random.Random(seed)
    write(path, x=pixels((examples, *image), seed), y=labels([draw.randrange(classes) for _ in range(examples)]))
