// What the page says by itself: a line for screen readers, a toast for everybody, the lost connection.
const toast = document.getElementById("toast");
let fading = 0;

export function announce(words) {
  document.getElementById("news").textContent = words;
}

export function tell(words, { lost = false } = {}) {
  clearTimeout(fading);
  toast.textContent = words;
  toast.classList.toggle("lost", lost);
  toast.hidden = false;
  if (!lost) fading = setTimeout(() => { toast.hidden = true; }, 5000);
}

export function busy(on) {
  document.body.classList.toggle("busy", on);
}

let waiting = null;

// Says that the server is out of reach, and resolves when it answers again.
export function reconnected() {
  waiting ??= (async () => {
    tell("The connection to circlet is lost. Trying again…", { lost: true });
    for (let pause = 500; ; pause = Math.min(5000, pause * 1.5)) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      try {
        if ((await fetch("/api/v1/health", { cache: "no-store" })).ok) break;
      } catch { /* still away */ }
    }
    waiting = null;
    tell("Connected again.");
  })();
  return waiting;
}

// A fetch that waits out a lost connection and then goes on; only an abort ends it early.
export async function insist(address, options = {}) {
  for (;;) {
    try {
      return await fetch(address, options);
    } catch (error) {
      if (options.signal?.aborted || error.name === "AbortError") throw error;
      await reconnected();
      if (options.signal?.aborted) throw error;
    }
  }
}
