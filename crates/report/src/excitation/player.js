"use strict";
for (const player of document.querySelectorAll(".player")) {
  const data = JSON.parse(player.querySelector("script").textContent);
  const canvas = player.querySelector("canvas"), slider = player.querySelector(".time");
  const button = player.querySelector(".play"), clock = player.querySelector(".clock");
  const speed = player.querySelector(".speed"), solid = player.querySelector(".solid");
  const pen = canvas.getContext("2d");
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const unit = a => { const n = Math.hypot(...a); return a.map(x => x / n); };
  const stride = 12 * data.bodies.length, last = data.t.length - 1;
  if (!data.bodies.some(b => b.capsules.length + b.hulls.length)) solid.parentElement.hidden = true;

  // Poses between two frames: places and axes are mixed, which is enough for an eye.
  function poseAt(body, frame) {
    const k = Math.min(Math.floor(frame), last), part = data.poses ? 0 : frame - k;
    const at = k * stride + 12 * body, next = Math.min(k + 1, last) * stride + 12 * body;
    const m = new Array(12);
    for (let i = 0; i < 12; i++) m[i] = data.frames[at + i] * (1 - part) + data.frames[next + i] * part;
    return m;
  }
  const moved = (m, p) => [0, 1, 2].map(r => m[3 * r] * p[0] + m[3 * r + 1] * p[1] + m[3 * r + 2] * p[2] + m[9 + r]);

  // Everything that the motion ever reaches has to be inside the first view.
  let low = [1e9, 1e9, 1e9], high = [-1e9, -1e9, -1e9], flat = [1e9, -1e9, 1e9, -1e9];
  const see = (p, r) => {
    for (let i = 0; i < 3; i++) { low[i] = Math.min(low[i], p[i] - r); high[i] = Math.max(high[i], p[i] + r); }
    const x = dot(data.view[0], p), y = dot(data.view[1], p);
    flat = [Math.min(flat[0], x - r), Math.max(flat[1], x + r), Math.min(flat[2], y - r), Math.max(flat[3], y + r)];
  };
  for (let f = 0; f <= last; f += Math.max(1, Math.floor(last / 60)))
    data.bodies.forEach((b, k) => {
      const m = poseAt(k, f);
      b.strokes.flat().concat(b.plate).forEach(p => see(moved(m, p), 0));
      b.capsules.forEach(c => { see(moved(m, c[0]), c[2]); see(moved(m, c[1]), c[2]); });
      b.hulls.forEach(h => h.points.forEach(p => see(moved(m, p), 0)));
    });
  for (const o of data.obstacles) if (o.from) { see(o.from, 0); see(o.to, 0); }
  see([0, 0, 0], 0);
  const size = Math.hypot(...high.map((x, i) => x - low[i]));
  const centre = [(flat[0] + flat[1]) / 2, (flat[2] + flat[3]) / 2], deep = dot(data.view[2], low.map((x, i) => (x + high[i]) / 2));
  const middle = [0, 1, 2].map(i => centre[0] * data.view[0][i] + centre[1] * data.view[1][i] + deep * data.view[2][i]);

  let [right, up, toward] = data.view, zoom = 1, frame = 0, playing = false, before = 0;
  // The far ends of bodies that carry no other.
  const tips = data.tips.map(k => {
    const ends = data.bodies[k].strokes.flat();
    return [k, ends.length ? ends.reduce((a, b) => (Math.hypot(...a) > Math.hypot(...b) ? a : b)) : [0, 0, 0]];
  });

  function draw() {
    const box = canvas.getBoundingClientRect(), ratio = window.devicePixelRatio || 1;
    const width = Math.max(box.width, 200), height = Math.max(box.height, 200);
    if (canvas.width !== Math.round(width * ratio)) { canvas.width = Math.round(width * ratio); canvas.height = Math.round(height * ratio); }
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const css = getComputedStyle(player), colour = name => css.getPropertyValue(name).trim();
    const scale = zoom * 0.9 * Math.min(width / Math.max(flat[1] - flat[0], 1e-9), height / Math.max(flat[3] - flat[2], 1e-9));
    const at = p => { const d = p.map((x, i) => x - middle[i]); return [width / 2 + scale * dot(right, d), height / 2 - scale * dot(up, d)]; };
    const depth = p => dot(toward, p);
    const body = (hue, alpha) => `hsl(${hue} ${colour("--bs")} ${colour("--bl")} / ${alpha})`;
    const line = (a, b, style, w) => { pen.strokeStyle = style; pen.lineWidth = w; pen.lineCap = "round"; pen.beginPath(); pen.moveTo(...at(a)); pen.lineTo(...at(b)); pen.stroke(); };
    const area = (points, fill, edge) => { pen.beginPath(); points.forEach((p, i) => pen[i ? "lineTo" : "moveTo"](...at(p))); pen.closePath(); pen.fillStyle = fill; pen.fill(); if (edge) { pen.strokeStyle = edge; pen.lineWidth = 1; pen.stroke(); } };
    const pieces = [];
    const put = (z, paint) => pieces.push([z, paint]);

    // The ground of an obstacle's plane, or a faint grid under the robot.
    const planes = data.obstacles.filter(o => o.plane);
    const grounds = planes.length ? planes.map(o => [o.plane, o.offset, "--minus"]) : [[data.up, Math.min(0, dot(data.up, low)), "--line"]];
    for (const [normal, offset, tone] of grounds) {
      const n = unit(normal), e = unit(cross(n, Math.abs(n[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0])), f = cross(n, e);
      const foot = middle.map((x, i) => x + n[i] * (offset - dot(n, middle)));
      const reach = 0.5 * size, place = (a, b) => foot.map((x, i) => x + a * reach * e[i] + b * reach * f[i]);
      put(-1e9, () => { for (let k = -5; k <= 5; k++) { line(place(k / 5, -1), place(k / 5, 1), colour(tone), 0.6); line(place(-1, k / 5), place(1, k / 5), colour(tone), 0.6); } });
    }
    for (const o of data.obstacles) if (o.from) {
      const corner = k => [k & 1 ? o.to[0] : o.from[0], k & 2 ? o.to[1] : o.from[1], k & 4 ? o.to[2] : o.from[2]];
      const faces = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];
      for (const face of faces) { const c = face.map(corner); put(c.reduce((s, p) => s + depth(p), 0) / 4, () => { pen.globalAlpha = 0.16; area(c, colour("--minus")); pen.globalAlpha = 1; area(c, "transparent", colour("--minus")); }); }
    }
    // The ways of the tips, and the ground between joints that stand on it.
    if (data.ground.length > 2) put(-1e8, () => { pen.globalAlpha = 0.1; area(data.ground, colour("--muted")); pen.globalAlpha = 0.6; area(data.ground, "transparent", colour("--muted")); pen.globalAlpha = 1; });
    if (!data.poses) for (const [k, far] of tips) put(-1e8, () => {
      pen.strokeStyle = body(data.bodies[k].hue, 0.45); pen.lineWidth = 1.2; pen.beginPath();
      for (let f = 0; f <= last; f++) pen[f ? "lineTo" : "moveTo"](...at(moved(poseAt(k, f), far)));
      pen.stroke();
    });
    data.bodies.forEach((b, k) => {
      const m = poseAt(k, frame);
      if (b.plate.length > 2) { const p = b.plate.map(x => moved(m, x)); put(p.reduce((s, x) => s + depth(x), 0) / p.length, () => area(p, body(b.hue, 0.2), body(b.hue, 1))); }
      for (const [from, to] of b.strokes) { const p = moved(m, from), q = moved(m, to); put((depth(p) + depth(q)) / 2, () => { line(p, q, colour("--sheet"), 9); line(p, q, body(b.hue, 1), 5); }); }
      if (solid.checked) for (const [from, to, r] of b.capsules) { const p = moved(m, from), q = moved(m, to); put((depth(p) + depth(q)) / 2 - 1e-3, () => line(p, q, body(b.hue, 0.22), 2 * r * scale)); }
      // Of a hull the faces that look this way.
      if (solid.checked) for (const h of b.hulls) {
        const place = h.points.map(p => moved(m, p));
        for (const face of h.faces) {
          const c = face.map(i => place[i]), s = (i, j) => c[i].map((x, n) => x - c[j][n]);
          if (dot(toward, cross(s(1, 0), s(2, 1))) > 0) put(c.reduce((z, p) => z + depth(p), 0) / c.length, () => area(c, body(b.hue, 0.16), body(b.hue, 0.2)));
        }
      }
    });
    for (const [k, p] of data.joints) { const c = moved(poseAt(k, frame), p); put(depth(c) + size, () => { const [x, y] = at(c); pen.fillStyle = colour("--paper"); pen.strokeStyle = colour("--ink"); pen.lineWidth = 1.2; pen.beginPath(); pen.arc(x, y, 4, 0, 7); pen.fill(); pen.stroke(); }); }
    pieces.sort((a, b) => a[0] - b[0]).forEach(piece => piece[1]());
    clock.textContent = data.poses ? `pose ${Math.floor(frame) + 1}` : `${(data.t[Math.floor(frame)] ?? 0).toFixed(1)} s`;
  }
  function step(now) {
    if (!playing) return;
    const length = data.poses ? data.t.length * 0.7 : data.t[last];
    frame += (now - before) / 1000 * speed.value * last / length; before = now;
    if (frame >= last) frame -= last;
    slider.value = frame; draw(); requestAnimationFrame(step);
  }
  function toggle() { playing = !playing; button.textContent = playing ? "■" : "▶"; before = performance.now(); if (playing) requestAnimationFrame(step); }
  button.addEventListener("click", toggle);
  slider.addEventListener("input", () => { frame = +slider.value; draw(); });
  solid.addEventListener("change", draw);
  canvas.addEventListener("pointerdown", down => {
    canvas.setPointerCapture(down.pointerId);
    let [x, y] = [down.clientX, down.clientY];
    const drag = move => {
      const a = (move.clientX - x) / 120, b = (move.clientY - y) / 120; [x, y] = [move.clientX, move.clientY];
      // About the vertical, then about the horizontal of the picture.
      const turn = (v, axis, angle) => { const c = Math.cos(angle), s = Math.sin(angle), w = cross(axis, v), k = dot(axis, v) * (1 - c); return v.map((q, i) => q * c + w[i] * s + axis[i] * k); };
      [right, up, toward] = [right, up, toward].map(v => turn(v, data.up, -a));
      const axis = right; [up, toward] = [up, toward].map(v => turn(v, axis, -b)); draw();
    };
    const stop = () => { canvas.removeEventListener("pointermove", drag); };
    canvas.addEventListener("pointermove", drag);
    canvas.addEventListener("pointerup", stop, { once: true });
    canvas.addEventListener("pointercancel", stop, { once: true });
  });
  canvas.addEventListener("wheel", event => { if (!event.ctrlKey) return; event.preventDefault(); zoom *= Math.exp(-event.deltaY / 400); draw(); }, { passive: false });
  canvas.addEventListener("keydown", event => { if (event.key === " ") { event.preventDefault(); toggle(); } });
  window.addEventListener("resize", draw);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  frame = data.poses ? 0 : 0.3 * last; slider.value = frame; draw();
}
