// Optional: copies citations, asks before a removal, and shows the progress of uploads.
"use strict";

for (const button of document.querySelectorAll("button.copy")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const said = button.textContent;
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = "Copied";
    } catch {
      const place = button.parentElement.querySelector(".cite");
      getSelection().selectAllChildren(place);
      button.textContent = "Press Ctrl+C";
    }
    setTimeout(() => { button.textContent = said; }, 2000);
  });
}

for (const button of document.querySelectorAll("[data-confirm]")) {
  button.addEventListener("click", (event) => { if (!confirm(button.dataset.confirm)) event.preventDefault(); });
}

// Scrolls to the passage that the address names, also far down in a long document.
const place = location.hash && document.getElementById(location.hash.slice(1));
if (place) requestAnimationFrame(() => place.scrollIntoView({ block: "center" }));

document.addEventListener("keydown", (event) => {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName);
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/") { document.querySelector("input[type=search]")?.focus(); event.preventDefault(); }
  if (event.key === "n") document.querySelector("a[rel=next]")?.click();
  if (event.key === "p") document.querySelector("a[rel=prev]")?.click();
});

const form = document.getElementById("upload");
if (form) {
  const input = form.querySelector("input[type=file]");
  const bar = document.getElementById("progress");
  const results = document.getElementById("results");

  const show = (line, name, status, more) => {
    line.className = status;
    const strong = document.createElement("strong");
    strong.textContent = name;
    line.replaceChildren(strong, `: ${status}${more ? " – " + more : ""}`);
  };

  const tell = (name, status, more) => {
    const line = document.createElement("li");
    show(line, name, status, more);
    results.append(line);
    return line;
  };

  const send = (file) => new Promise((done) => {
    const body = new FormData();
    body.append("files", file);
    if (form.elements.replace.checked) body.append("replace", "true");
    const request = new XMLHttpRequest();
    const collection = form.elements.collection?.value;
    request.open("POST", "/v1/documents" + (collection ? "?collection=" + encodeURIComponent(collection) : ""));
    request.setRequestHeader("X-CSRF-Token", document.querySelector("meta[name=csrf-token]").content);
    request.upload.addEventListener("progress", (event) => { bar.value = event.loaded / event.total; });
    request.addEventListener("loadend", () => {
      let answer = {};
      try { answer = JSON.parse(request.responseText); } catch { /* reported as failed below */ }
      const where = request.status === 202 && request.getResponseHeader("Location");
      if (where) return done({ added: follow(where, tell(file.name, "waiting")) });
      tell(file.name, "failed", answer.detail || "the server could not be reached");
      done({ added: false });
    });
    request.send(body);
  });

  // Asks how far an upload is until it is done; says whether it gave a document.
  const follow = async (where, line) => {
    for (let pause = 250; ; pause = Math.min(pause * 1.5, 3000)) {
      await new Promise((later) => setTimeout(later, pause));
      let job;
      try { job = await (await fetch(where)).json(); } catch { continue; }
      const own = job.files?.[0];
      if (!own) continue;
      show(line, own.name, own.status, own.problem || own.notes.join("; "));
      if (job.state === "done") return own.status === "added";
    }
  };

  const sendAll = async (files) => {
    if (!files.length) return;
    results.textContent = "";
    bar.hidden = false;
    form.querySelector("button.main").disabled = true;
    const read = [];
    for (const file of files) {
      bar.value = 0;
      read.push((await send(file)).added);
    }
    bar.hidden = true;
    form.querySelector("button.main").disabled = false;
    input.value = "";
    const added = (await Promise.all(read)).filter(Boolean).length;
    if (added) {
      const line = tell(`${added} file${added === 1 ? "" : "s"}`, "added", "");
      const again = document.createElement("a");
      again.href = location.href;
      again.textContent = "Show them in the list";
      line.append(" ", again);
    }
  };

  form.addEventListener("submit", (event) => { event.preventDefault(); sendAll([...input.files]); });
  // A file dropped outside the form must not replace the page.
  for (const name of ["dragover", "drop"]) addEventListener(name, (event) => event.preventDefault());
  for (const name of ["dragover", "dragleave", "drop"]) {
    form.addEventListener(name, (event) => {
      event.preventDefault();
      form.classList.toggle("over", name === "dragover");
      if (name === "drop") sendAll([...event.dataTransfer.files]);
    });
  }
}
