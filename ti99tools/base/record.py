"""Small immutable records, like frozen dataclasses with slots, made in a twentieth of the time.

A dataclass compiles six methods when its module is imported: half a millisecond per class, 20 ms
for the statements of Extended BASIC, more than it takes to tokenize a whole listing. Here all
classes share their methods except `__init__`, which is compiled when the first record is made.

    class Element(Record):
        name: str
        subscripts: tuple[Expression, ...]
        depth: int = field(default=0, compare=False)

With `kw_only=True` fields are given by name only, and may follow inherited fields with defaults.
`dataclasses.replace` accepts records too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, field, fields, make_dataclass
from operator import attrgetter
from typing import Any, ClassVar, cast, dataclass_transform

__all__ = ["Record", "field"]
_PLAIN = frozenset({"bool", "int", "int | None", "str", "str | None", "tuple[int, ...]"})
"""Annotations, as written, of fields that cannot hold another record."""


class _DataclassFields:
    """The attribute that `dataclasses.replace` and `fields` read, made on first use."""

    def __get__(self, record: object, cls: type[Record]) -> dict[str, Field[Any]]:
        twin = make_dataclass(cls.__name__, cls.__record_fields__)
        cls.__dataclass_fields__ = {each.name: each for each in fields(twin)}
        return cls.__dataclass_fields__


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class _RecordType(type):
    """The metaclass: gives a class one slot per field."""

    def __new__(
        cls,
        name: str,
        bases: tuple[type, ...],
        namespace: dict[str, Any],
        *,
        kw_only: bool = False,
    ) -> _RecordType:
        own = [key for key in namespace.get("__annotations__", ()) if not key.startswith("__")]
        defaults: dict[str, Any] = {}
        compared: tuple[str, ...] = ()
        inner: tuple[str, ...] = ()
        inherited: tuple[str, ...] = ()
        for base in bases:
            inherited += getattr(base, "__record_fields__", ())
            defaults |= getattr(base, "__record_defaults__", {})
            compared += getattr(base, "__record_compared__", ())
            inner += getattr(base, "__record_inner__", ())
        for key in own:
            if namespace["__annotations__"][key] not in _PLAIN:
                inner += (key,)
            given = namespace.pop(key, MISSING)
            known = given if isinstance(given, Field) else None
            default = given if known is None else known.default
            if default is not MISSING:
                defaults[key] = default
            if known is None or known.compare:
                compared += (key,)
        namespace |= {
            "__slots__": tuple(own),
            "__match_args__": () if kw_only else tuple(own),
            "__record_fields__": (*inherited, *own),
            "__record_defaults__": defaults,
            "__record_compared__": compared,
            "__record_key__": attrgetter(*compared) if compared else type,
            "__record_inner__": inner,
            "__record_kw_only__": kw_only,
            "__dataclass_fields__": _DataclassFields(),
            "__init__": _first,
        }
        return super().__new__(cls, name, bases, namespace)


def _first(self: Record, *args: Any, **named: Any) -> None:
    """Compile the class's `__init__`, and use it for its first record."""
    cls = type(self)
    initializer = _initializer(cls)
    cls.__init__ = initializer  # type: ignore[method-assign]
    initializer(self, *args, **named)


def _initializer(cls: type[Record]) -> Callable[..., None]:
    """`def __init__(self, name, depth=_default_depth): _set_name(self, name); …`"""
    names, defaults = cls.__record_fields__, cls.__record_defaults__
    scope: dict[str, Any] = {}
    given, body = [], []
    for name in names:
        scope[f"_set_{name}"] = getattr(cls, name).__set__
        scope[f"_default_{name}"] = defaults.get(name)
        given.append(f"{name}=_default_{name}" if name in defaults else name)
        body.append(f" _set_{name}(self, {name})")
    star = ["*"] if cls.__record_kw_only__ and names else []
    head = f"def __init__({', '.join(['self', *star, *given])}):"
    exec("\n".join([head, *body, " pass"]), scope)
    return cast("Callable[..., None]", scope["__init__"])


class Record(metaclass=_RecordType):
    """The base of all records; compared, hashed and shown by its fields."""

    __record_fields__: ClassVar[tuple[str, ...]]
    __record_defaults__: ClassVar[dict[str, Any]]
    __record_compared__: ClassVar[tuple[str, ...]]
    __record_key__: ClassVar[Any]
    """What of a record is compared: a tuple of fields, or the only one."""
    __record_inner__: ClassVar[tuple[str, ...]]
    """Fields that may hold other records: all but those of plain types."""
    __record_kw_only__: ClassVar[bool]
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        key = self.__record_key__
        mine, others = key(self), key(other)
        # What is the same is equal, even if it is no number: as in tuples.
        return mine is others or bool(mine == others)

    def __hash__(self) -> int:
        return hash((type(self), self.__record_key__(self)))

    def __repr__(self) -> str:
        pairs = (f"{name}={getattr(self, name)!r}" for name in self.__record_fields__)
        return f"{type(self).__qualname__}({', '.join(pairs)})"

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        values = tuple([getattr(self, name) for name in self.__record_fields__])
        return _again, (type(self), values)


def _again(cls: type[Record], values: tuple[Any, ...]) -> Record:
    """Rebuild a record from its pickle."""
    return cls(**dict(zip(cls.__record_fields__, values, strict=True)))
