// The switches of the console: pause, speed, sound, the machine's keyboard, joysticks.

import { $, $$ } from "./dom.js";

/** Show or hide the machine's keyboard. */
export function keypad(shown) {
  $("#keys").checked = shown;
  $("#keypad").hidden = !shown;
  $("#all-keys").setAttribute("aria-pressed", String(shown));
}

/** Wire the switches. After a click the screen has the keys again; who comes by keyboard stays at the switch. */
export function switches({ machine, gamepad, store }) {
  const yields = (element) => {
    if (machine.going && !element.matches(":focus-visible")) $("#screen").focus({ preventScroll: true });
  };
  $("#pause").onclick = ({ currentTarget }) => {
    machine.pause();
    yields(currentTarget);
  };
  for (const input of $$("input[name=speed]")) {
    input.onchange = () => {
      machine.setSpeed(input.value === "max" ? Infinity : Number(input.value));
      yields(input);
    };
  }
  $("#sound").onchange = ({ target }) => {
    machine.sound.set(target.checked);
    $("#mute").setAttribute("aria-pressed", String(!target.checked));
    yields(target);
  };
  $("#keys").onchange = ({ target }) => {
    keypad(target.checked);
    store.set("keypad", target.checked);
  };
  $("#stick").onchange = ({ target }) => {
    machine.keys.joystick = machine.keypad.joystick = gamepad.joystick = target.checked;
    yields(target);
  };
  $("#all-keys").onclick = () => keypad($("#keypad").hidden);
  $("#mute").onclick = () => $("#sound").click();
}
