/* SPDX-License-Identifier: Apache-2.0 */
/* stepping.js: goes through the steps of what is shown, by buttons, keys and
 * the address. */
function stepping(view) {
	let timer = 0;

	function go(step) {
		view.state.step = Math.min(Math.max(0, step), view.last);
		refresh();
	}
	function refresh() {
		const step = view.state.step;

		byId("now").textContent = view.show();
		byId("slider").max = view.last;
		byId("slider").value = step;
		byId("slider").setAttribute("aria-valuetext", `${view.unit} ${step} of ${view.last}`);
		byId("slider-label").textContent = `${view.unit} ${step} of ${view.last}`;
		byId("first").disabled = byId("back").disabled = !step;
		byId("next").disabled = byId("last").disabled = step === view.last;
		if (step === view.last)
			play(false);
		history.replaceState(null, "", `#${new URLSearchParams(view.address())}`);
	}
	function play(on) {
		clearInterval(timer);
		timer = on ? setInterval(() => go(view.state.step + 1), 1500) : 0;
		byId("play").setAttribute("aria-pressed", `${on}`);
		byId("play").textContent = on ? "Pause" : "Play";
	}
	function toggle() {
		if (!timer && view.state.step === view.last)
			go(0);
		play(!timer);
	}
	const keys = {ArrowRight: () => go(view.state.step + 1), ArrowLeft: () => go(view.state.step - 1),
		Home: () => go(0), End: () => go(view.last), p: toggle};

	byId("first").onclick = keys.Home;
	byId("back").onclick = keys.ArrowLeft;
	byId("next").onclick = keys.ArrowRight;
	byId("last").onclick = keys.End;
	byId("play").onclick = toggle;
	byId("slider").oninput = e => go(+e.target.value);
	addEventListener("keydown", e => {
		const taken = e.target.closest && e.target.closest("select, input, [tabindex]");

		if (!keys[e.key] || taken || e.ctrlKey || e.altKey || e.metaKey)
			return;
		e.preventDefault();
		keys[e.key]();
	});
	function address() {
		view.read(new URLSearchParams(location.hash.slice(1)));
		refresh();
	}
	addEventListener("hashchange", address);
	return {go, refresh, address};
}

const view = data.scenes ? traceView() : planView();
const stepper = stepping(view);
byId("choices").onsubmit = e => e.preventDefault();
stepper.address();
