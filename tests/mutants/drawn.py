"""Thirty faults drawn from lines that the tests run; see `drawing`. Seed 42."""
# ruff: noqa: E501

from __future__ import annotations

from tests.mutants.fault import Fault

SEED = 42
DRAWN = (
    Fault(
        "operator in soundchip: frames = milliseconds * _FRAMES_PER_SECOND // 1000",
        "ti99tools/hardware/machine/soundchip.py",
        "        frames = milliseconds * _FRAMES_PER_SECOND // 1000\n",
        "        frames = milliseconds // _FRAMES_PER_SECOND // 1000\n",
    ),
    Fault(
        "constant in loops: node = e.listing.statements(*end)[0]",
        "ti99tools/computer/interp/compile/emit/loops.py",
        "    node = e.listing.statements(*end)[0]\n",
        "    node = e.listing.statements(*end)[1]\n",
    ),
    Fault(
        'comparison in cells: if place != b and f"@{place}" != first:',
        "ti99tools/compiler/emit/cells.py",
        '    if place != b and f"@{place}" != first:\n',
        '    if place == b and f"@{place}" != first:\n',
    ),
    Fault(
        "statement in graphics: args.store_number(square, string_error=INCORRECT_ARGUMENT_LIST)",
        "ti99tools/computer/interp/subprograms/graphics.py",
        "    args.store_number(square, string_error=INCORRECT_ARGUMENT_LIST)\n",
        "    pass\n",
    ),
    Fault(
        "operator in stack: for i in range(len(frames) - 1, -1, -1):",
        "ti99tools/computer/interp/run/stack.py",
        '    """Replace the blocks on the stack by those of the kind now in use."""\n    for i in range(len(frames) - 1, -1, -1):\n',
        '    """Replace the blocks on the stack by those of the kind now in use."""\n    for i in range(len(frames) + 1, -1, -1):\n',
    ),
    Fault(
        "constant in outline: known = found.get(name, (0, 0))",
        "ti99tools/computer/interp/compile/outline.py",
        "    known = ranges.get(name, (0, 0))\n",
        "    known = ranges.get(name, (1, 0))\n",
    ),
    Fault(
        "comparison in expressions: if token in CALCULATED and depth > STACK_WORDS - SPARE_WORDS:",
        "ti99tools/language/syntax/expressions.py",
        "        if token in CALCULATED and depth > STACK_WORDS - SPARE_WORDS:\n",
        "        if token not in CALCULATED and depth > STACK_WORDS - SPARE_WORDS:\n",
    ),
    Fault(
        "statement in timekeeper: worker.work()",
        "ti99tools/computer/console/timekeeper.py",
        "                        worker.work()\n",
        "                        pass\n",
    ),
    Fault(
        "operator in vdp: return PATTERNS + 8 * ((code + OFFSET) & 0xFF)",
        "ti99tools/hardware/machine/vdp.py",
        "    return PATTERNS + 8 * ((code + OFFSET) & 0xFF)\n",
        "    return PATTERNS - 8 * ((code + OFFSET) & 0xFF)\n",
    ),
    Fault(
        "constant in reader: body = piece[lead:-1].rstrip() if more else piece[lead:]",
        "ti99tools/language/dialect/reader.py",
        "            body = piece[lead:-1].rstrip() if more else piece[lead:]\n",
        "            body = piece[lead:-2].rstrip() if more else piece[lead:]\n",
        same="before the _ that continues a line is a space, which rstrip removes in any case",
    ),
    Fault(
        'comparison in declarations: if early is not None and early[0] != "INIT" and "INIT" in names:',
        "ti99tools/language/dialect/declarations.py",
        '    if early is not None and early[0] != "INIT" and "INIT" in names:\n',
        '    if early is not None and early[0] != "INIT" and "INIT" not in names:\n',
    ),
    Fault(
        "statement in player: keyboard.tell_look(lambda: None)",
        "ti99tools/computer/console/player.py",
        "        keyboard.tell_look(lambda: None)\n",
        "        pass\n",
        same="what looks for keys add to the set afterwards is read by nobody",
    ),
    Fault(
        "operator in dsrfiles: return data[first : first + length]",
        "ti99tools/hardware/machine/dsrfiles.py",
        "        return data[first : first + length]\n",
        "        return data[first : first - length]\n",
    ),
    Fault(
        "constant in operands: if value.known and value.bases == -1:",
        "ti99tools/hardware/assembler/operands.py",
        "        if value.known and value.bases == -1:\n",
        "        if value.known and value.bases == -2:\n",
    ),
    Fault(
        "comparison in values: elif own is not None:",
        "ti99tools/compiler/emit/values.py",
        "    elif own is not None:\n",
        "    elif own is None:\n",
    ),
    Fault(
        "statement in programarea: memory.follow(STACK_TOP, lambda: (self.stack(),))",
        "ti99tools/computer/console/programarea.py",
        "        memory.follow(STACK_TOP, lambda: (self.stack(),))\n",
        "        pass\n",
    ),
    Fault(
        "operator in heap: self.count[ENOUGH] = made + min(half, max(room - STACK_RESERVE - self._used, 0))",
        "ti99tools/computer/interp/run/heap.py",
        "        self.count[ENOUGH] = bytes_made + min(half, max(room - STACK_RESERVE - self._used, 0))\n",
        "        self.count[ENOUGH] = bytes_made - min(half, max(room - STACK_RESERVE - self._used, 0))\n",
    ),
    Fault(
        "constant in keys_and_sound: unit = args.leading(0, LAST_UNIT)",
        "ti99tools/computer/interp/subprograms/keys_and_sound.py",
        "    unit = args.leading(0, LAST_UNIT)\n",
        "    unit = args.leading(1, LAST_UNIT)\n",
    ),
    Fault(
        "comparison in screen: found = self._ram.find(wanted, SCREEN, SCREEN + SCREEN_SIZE) >= 0",
        "ti99tools/hardware/machine/screen.py",
        "        present = self._ram.find(wanted, SCREEN, SCREEN + SCREEN_SIZE) >= 0\n",
        "        present = self._ram.find(wanted, SCREEN, SCREEN + SCREEN_SIZE) > 0\n",
    ),
    Fault(
        "statement in sharing: subs += with_names(body, new[name_of(body)])",
        "ti99tools/language/optimize/sharing.py",
        "        subs += with_names(body, new[name_of(body)])\n",
        "        pass\n",
    ),
    Fault(
        "operator in kinds: name: WORD if words and found.is_word else CELL for name, found in ranges.all.items()",
        "ti99tools/compiler/kinds.py",
        "            name: WORD if words and found.is_word else CELL for name, found in ranges.all.items()\n",
        "            name: WORD if words or found.is_word else CELL for name, found in ranges.all.items()\n",
    ),
    Fault(
        "constant in cpu_memory: return self.peek(address) << 8 | self.peek(address + 1)",
        "ti99tools/hardware/machine/cpu_memory.py",
        "        return self.peek(address) << 8 | self.peek(address + 1)\n",
        "        return self.peek(address) << 9 | self.peek(address + 1)\n",
    ),
    Fault(
        "comparison in scanner: dimensions = 0 if statement.parameter is None else 1",
        "ti99tools/language/prescan/scanner.py",
        "        dimensions = 0 if statement.parameter is None else 1\n",
        "        dimensions = 0 if statement.parameter is not None else 1\n",
    ),
    Fault(
        "statement in image: self.add_stored(records.store(file), replace)",
        "ti99tools/media/disk/image.py",
        "        self.add_stored(records.store(file), replace)\n",
        "        pass\n",
    ),
    Fault(
        "operator in constants: follower = lexemes[index + 1] if index + 1 < len(lexemes) else None",
        "ti99tools/language/dialect/constants.py",
        "            follower = lexemes[index + 1] if index + 1 < len(lexemes) else None\n",
        "            follower = lexemes[index + 1] if index - 1 < len(lexemes) else None\n",
    ),
    Fault(
        "constant in operations: the register of CI",
        "ti99tools/hardware/cpu/operations.py",
        "def _ci(word: int) -> Execute:\n    offset = 2 * (word & 15)\n",
        "def _ci(word: int) -> Execute:\n    offset = 2 * (word & 16)\n",
    ),
    Fault(
        "comparison in bus: if new != word and (index in watched or index in self._guarded):",
        "ti99tools/hardware/cpu/bus.py",
        "        if new != word and (index in self._watched or index in self._guarded):\n",
        "        if new == word and (index in self._watched or index in self._guarded):\n",
    ),
    Fault(
        "statement in printer: super().__init__(screen, BOTTOM, MARGIN, PRINT_WIDTH, pending.column)",
        "ti99tools/computer/interp/io/printer.py",
        "        super().__init__(screen, BOTTOM, MARGIN, PRINT_WIDTH, pending.column)\n",
        "        pass\n",
    ),
    Fault(
        "operator in encoding: return instruction.code | distance // 2 & 0xFF",
        "ti99tools/hardware/assembler/encoding.py",
        "        return instruction.code | distance // 2 & 0xFF\n",
        "        return instruction.code & distance // 2 & 0xFF\n",
    ),
    Fault(
        "constant in dsrvolume: return next((entry for entry in directory if entry[1].name == raw), None)",
        "ti99tools/hardware/machine/dsrvolume.py",
        "        return next((entry for entry in directory if entry[1].name == raw), None)\n",
        "        return next((entry for entry in directory if entry[2].name == raw), None)\n",
    ),
)
