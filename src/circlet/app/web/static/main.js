// Everything here makes quick what already works without it: forms and links stay the truth.
import "./live.js";
import "./upload.js";
import "./grid.js";
import "./chosen.js";
import "./large.js";
import "./pile.js";
import "./status.js";

document.documentElement.classList.add("js");
