"""Vectors of `WIDTH` numbers in registers, for kernels of any game that LLVM vectorises badly.

Before each loop over numbers the compiler checks that its arrays do not overlap, which for some
dozens of numbers takes longer than the loop. These operations say what is read and written, in
order. Where registers are shorter, LLVM uses several.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from math import prod
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.extending import intrinsic, lower_builtin, register_model, type_callable

WIDTH: Final = 32
"""Numbers in a vector: two of the longest registers."""

HALF: Final = WIDTH // 2
"""Numbers in one of its halves, 0 and 1."""

LINE: Final = 16
"""Numbers in a line of the cache, and in a vector of the functions that are named after it.

Where registers are short, kernels that keep several vectors in them are faster with these.
"""

_VECTOR = ir.VectorType(ir.FloatType(), WIDTH)
_HALF_VECTOR = ir.VectorType(ir.FloatType(), HALF)
_UNDEFINED = ir.Constant(_VECTOR, ir.Undefined)


_Function = Callable[..., Any]
_operation: Callable[[_Function], _Function] = intrinsic
_lowers: Callable[..., Callable[[_Function], _Function]] = lower_builtin


class Lanes(types.Type):
    """The type of a vector of float32 inside kernels."""

    def __init__(self, width: int) -> None:
        super().__init__(name=f"lanes{width}")
        self.width = width


_lanes: Any = Lanes(WIDTH)
_line: Any = Lanes(LINE)


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        vector = ir.VectorType(ir.FloatType(), kind.width)
        super().__init__(manager, kind, vector)  # type: ignore[no-untyped-call]


def _address(
    context: Any, builder: Any, kind: Any, array: Any, start: Any, vector: Any = _VECTOR
) -> Any:
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [start]), vector.as_pointer())


def _places(*numbers: int) -> Any:
    return ir.Constant(ir.VectorType(ir.IntType(32), len(numbers)), numbers)


def _is_in(builder: Any, half: Any) -> Any:
    """Return for each place whether it is in a half of the vector."""
    numbers = ir.VectorType(ir.IntType(64), WIDTH)
    first = builder.insert_element(ir.Constant(numbers, ir.Undefined), half, ir.IntType(32)(0))
    halves = builder.shuffle_vector(first, first, _places(*[0] * WIDTH))
    own = ir.Constant(numbers, [0] * HALF + [1] * HALF)
    return builder.icmp_signed("==", halves, own)


@_operation
def load(typing: Any, array: Any, start: Any) -> Any:
    """Return numbers ``start`` to ``start + WIDTH - 1`` of a contiguous array, unchecked."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address = _address(context, builder, signature.args[0], *args)
        return builder.load(address, align=4)

    return _lanes(array, types.intp), generate


@_operation
def store(typing: Any, array: Any, start: Any, lanes: Any) -> Any:
    """Write a vector from number ``start`` of a contiguous array on, unchecked."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> None:
        address = _address(context, builder, signature.args[0], *args[:2])
        builder.store(args[2], address, align=4)

    return types.void(array, types.intp, _lanes), generate


@_operation
def splat(typing: Any, number: Any) -> Any:
    """Return a vector of equal numbers."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        first = builder.insert_element(_UNDEFINED, args[0], ir.IntType(32)(0))
        return builder.shuffle_vector(first, _UNDEFINED, _places(*[0] * WIDTH))

    return _lanes(types.float32), generate


@_operation
def larger(typing: Any, left: Any, right: Any) -> Any:
    """Return the larger number in each place."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">", *args), *args)

    return left(left, right), generate


@_operation
def has_any(typing: Any, lanes: Any) -> Any:
    """Tell whether a number other than zero is among them."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        nonzero = builder.fcmp_unordered("!=", args[0], ir.Constant(_VECTOR, None))
        bits = ir.IntType(WIDTH)
        return builder.icmp_unsigned("!=", builder.bitcast(nonzero, bits), ir.Constant(bits, 0))

    return types.boolean(_lanes), generate


@_operation
def load_half(typing: Any, array: Any, start: Any) -> Any:
    """Return numbers ``start`` to ``start + HALF - 1`` of a contiguous array, in both halves."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address = _address(context, builder, signature.args[0], args[0], args[1], _HALF_VECTOR)
        half = builder.load(address, align=4)
        return builder.shuffle_vector(half, half, _places(*range(HALF), *range(HALF)))

    return _lanes(array, types.intp), generate


@_operation
def store_half(typing: Any, array: Any, start: Any, lanes: Any, half: Any) -> Any:
    """Write a half of a vector from number ``start`` of a contiguous array on, unchecked."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> None:
        lanes, half = args[2:]
        address = _address(context, builder, signature.args[0], args[0], args[1], _HALF_VECTOR)
        low, high = (
            builder.shuffle_vector(lanes, lanes, _places(*range(first, first + HALF)))
            for first in (0, HALF)
        )
        is_low = builder.icmp_signed("==", half, half.type(0))
        builder.store(builder.select(is_low, low, high), address, align=4)

    return types.void(array, types.intp, _lanes, types.intp), generate


@_operation
def exchange(typing: Any, lanes: Any) -> Any:
    """Return a vector with its halves exchanged."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        places = _places(*range(HALF, WIDTH), *range(HALF))
        return builder.shuffle_vector(args[0], args[0], places)

    return _lanes(_lanes), generate


@_operation
def in_half(typing: Any, half: Any, lanes: Any, elsewhere: Any) -> Any:
    """Return the numbers of a vector in one half, and in the other half those of another."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.select(_is_in(builder, args[0]), *args[1:])

    return _lanes(types.intp, _lanes, _lanes), generate


@_operation
def share_or(typing: Any, part: Any, total: Any, otherwise: Any) -> Any:
    """Return ``part / total`` where the total is positive, and another number elsewhere."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        part, total, otherwise = args
        positive = builder.fcmp_ordered(">", total, ir.Constant(_VECTOR, None))
        return builder.select(positive, builder.fdiv(part, total), otherwise)

    return _lanes(_lanes, _lanes, _lanes), generate


@_operation
def prefetch(typing: Any, array: Any, start: Any) -> Any:
    """Begin to bring the line of number ``start`` of a contiguous array into the caches."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> None:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        address = builder.bitcast(builder.gep(data, [args[1]]), ir.IntType(8).as_pointer())
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [address.type, number, number, number])
        insert: _Function = cgutils.get_or_insert_function
        function = insert(builder.module, kind, "llvm.prefetch.p0")
        # To be read, as near as possible, and it is data.
        builder.call(function, [address, number(0), number(3), number(1)])

    return types.void(array, types.intp), generate


def _define(function: Callable[[Any, Any], Any], instruction: str) -> None:
    @type_callable(function)
    def _type(context: Any) -> Any:
        def typer(left: Any, right: Any) -> Any:
            return left if left == right and isinstance(left, Lanes) else None

        return typer

    @_lowers(function, Lanes, Lanes)
    def _lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        # A product that is added may be rounded once; the limit solver's digits are older.
        flags = ("contract",) if signature.args[0] == _line else ()
        return getattr(builder, instruction)(*args, flags=flags)


_define(operator.add, "fadd")
_define(operator.sub, "fsub")
_define(operator.mul, "fmul")


# Vectors of a line, and their transposition.


_LINE_VECTOR = ir.VectorType(ir.FloatType(), LINE)
_HALF_LINE = ir.VectorType(ir.HalfType(), LINE)
_MOST_HALF = 65_504.0
_BLOCK = 8
"""Rows and columns that are transposed in registers at a time."""


@_operation
def add_line(typing: Any, sums: Any, start: Any, lanes: Any) -> Any:
    """Add a line to numbers ``start`` to ``start + LINE - 1`` of an array of float64, unchecked."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> None:
        wide = ir.VectorType(ir.DoubleType(), LINE)
        address = _address(context, builder, signature.args[0], args[0], args[1], wide)
        sums = builder.fadd(builder.load(address, align=8), builder.fpext(args[2], wide))
        builder.store(sums, address, align=8)

    return types.void(sums, types.intp, _line), generate


@_operation
def load_line(typing: Any, array: Any, start: Any) -> Any:
    """Return `LINE` numbers from number ``start`` of a contiguous array on, unchecked.

    An array of int16 has the bits of half-precision numbers, which have 11 digits.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = signature.args[0]
        if kind.dtype != types.int16:
            address = _address(context, builder, kind, args[0], args[1], _LINE_VECTOR)
            return builder.load(address, align=4)
        address = _address(context, builder, kind, args[0], args[1], _HALF_LINE)
        return builder.fpext(builder.load(address, align=2), _LINE_VECTOR)

    return _line(array, types.intp), generate


@_operation
def store_line(typing: Any, array: Any, start: Any, line: Any) -> Any:
    """Write `LINE` numbers from number ``start`` of a contiguous array on, unchecked.

    In an array of int16 as half-precision numbers, the largest that there are for larger ones.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> None:
        kind, line = signature.args[0], args[2]
        if kind.dtype != types.int16:
            address = _address(context, builder, kind, args[0], args[1], _LINE_VECTOR)
            builder.store(line, address, align=4)
            return
        for sign, most in (("<", _MOST_HALF), (">", -_MOST_HALF)):
            bound = ir.Constant(_LINE_VECTOR, [most] * LINE)
            line = builder.select(builder.fcmp_ordered(sign, line, bound), line, bound)
        address = _address(context, builder, kind, args[0], args[1], _HALF_LINE)
        builder.store(builder.fptrunc(line, _HALF_LINE), address, align=2)

    return types.void(array, types.intp, _line), generate


@_operation
def splat_line(typing: Any, number: Any) -> Any:
    """Return a line of equal numbers."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        none = ir.Constant(_LINE_VECTOR, ir.Undefined)
        first = builder.insert_element(none, args[0], ir.IntType(32)(0))
        return builder.shuffle_vector(first, none, _places(*[0] * LINE))

    return _line(types.float32), generate


@_operation
def magnitude(typing: Any, line: Any) -> Any:
    """Return the numbers of a line without their signs."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        int_vector = ir.VectorType(ir.IntType(32), LINE)
        bits = builder.bitcast(args[0], int_vector)
        rest = builder.and_(bits, ir.Constant(int_vector, [0x7FFF_FFFF] * LINE))
        return builder.bitcast(rest, _LINE_VECTOR)

    return _line(_line), generate


@_operation
def where_positive(typing: Any, line: Any, chosen: Any, otherwise: Any) -> Any:
    """Return numbers of ``chosen`` where those of ``line`` are positive, else ``otherwise``."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        positive = builder.fcmp_ordered(">", args[0], ir.Constant(_LINE_VECTOR, None))
        return builder.select(positive, args[1], args[2])

    return _line(_line, _line, _line), generate


@_operation
def quotient(typing: Any, dividend: Any, divisor: Any) -> Any:
    """Return ``dividend / divisor``, infinite or no number where the divisor is zero."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.fdiv(*args)

    return _line(_line, _line), generate


@_operation
def line_has_any(typing: Any, line: Any) -> Any:
    """Tell whether a number other than zero is in a line."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        nonzero = builder.fcmp_unordered("!=", args[0], ir.Constant(_LINE_VECTOR, None))
        bits = ir.IntType(LINE)
        return builder.icmp_unsigned("!=", builder.bitcast(nonzero, bits), ir.Constant(bits, 0))

    return types.boolean(_line), generate


@_operation
def entry(typing: Any, array: Any, place: Any) -> Any:
    """Return an integer of a contiguous array, unchecked and never counted from the end."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        loaded = builder.load(builder.gep(data, [args[1]]))
        return context.cast(builder, loaded, signature.args[0].dtype, types.intp)

    return types.intp(array, types.intp), generate


@_operation
def transpose(
    typing: Any, source: Any, rows: Any, offset: Any, target: Any, columns: Any, at: Any
) -> Any:
    """Transpose `LINE` rows of `LINE` numbers from one contiguous array into another.

    Row k is read from place ``rows[k] + offset`` on, column k is written from ``columns[k] + at``
    on; both are arrays of int64.
    """

    def starts(context: Any, builder: Any, kind: Any, array: Any, more: Any) -> list[Any]:
        data = context.make_array(kind)(context, builder, array).data
        int64 = ir.IntType(64)
        return [builder.add(builder.load(builder.gep(data, [int64(k)])), more) for k in range(LINE)]

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> None:
        kinds = signature.args
        read = starts(context, builder, kinds[1], args[1], args[2])
        write = starts(context, builder, kinds[4], args[4], args[5])
        short = ir.VectorType(ir.FloatType(), _BLOCK)
        int64 = ir.IntType(64)
        for row in range(0, LINE, _BLOCK):
            for column in range(0, LINE, _BLOCK):
                block = [
                    builder.load(
                        _address(
                            context,
                            builder,
                            kinds[0],
                            args[0],
                            builder.add(start, int64(column)),
                            short,
                        ),
                        align=4,
                    )
                    for start in read[row : row + _BLOCK]
                ]
                for start, turned in zip(
                    write[column : column + _BLOCK], _transposed(builder, block), strict=True
                ):
                    place = builder.add(start, int64(row))
                    address = _address(context, builder, kinds[3], args[3], place, short)
                    builder.store(turned, address, align=4)

    return types.void(source, rows, types.intp, target, columns, types.intp), generate


def _transposed(builder: Any, rows: list[Any]) -> list[Any]:
    """Transpose eight vectors of eight by three stages of shuffles, an instruction each."""

    def stage(pairs: list[tuple[Any, Any]], *numbers: tuple[int, ...]) -> list[list[Any]]:
        return [
            [builder.shuffle_vector(left, right, _places(*lanes)) for lanes in numbers]
            for left, right in pairs
        ]

    ones = stage(
        [(rows[k], rows[k + 1]) for k in range(0, 8, 2)],
        (0, 8, 1, 9, 4, 12, 5, 13),
        (2, 10, 3, 11, 6, 14, 7, 15),
    )
    twos = stage(
        [(ones[k][side], ones[k + 1][side]) for k in (0, 2) for side in (0, 1)],
        (0, 1, 8, 9, 4, 5, 12, 13),
        (2, 3, 10, 11, 6, 7, 14, 15),
    )
    upper, lower = twos[0] + twos[1], twos[2] + twos[3]
    fours = stage(
        list(zip(upper, lower, strict=True)),
        (0, 1, 2, 3, 8, 9, 10, 11),
        (4, 5, 6, 7, 12, 13, 14, 15),
    )
    return [low for low, _ in fours] + [high for _, high in fours]


# Arrays for kernels that work on vectors.


def aligned(*shape: int) -> npt.NDArray[np.float32]:
    """Return zeros that begin a line of the cache.

    Where vectors cross lines, a showdown takes four times as long.
    """
    numbers = prod(shape)
    room = np.zeros(numbers + LINE, dtype=np.float32)
    first = -room.ctypes.data % (LINE * room.itemsize) // room.itemsize
    return room[first : first + numbers].reshape(shape)
