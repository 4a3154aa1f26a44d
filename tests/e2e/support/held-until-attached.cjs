// Loaded before the app: nothing of it is ready until Playwright is. A window that comes or goes while Playwright takes stock of
// those there are may leave it waiting for ever; with thumbnails being drawn, one start in two hundred did.
'use strict'
const { app } = require('electron')

const ready = app.whenReady()
const attached = new Promise((resolve) => {
  // Playwright calls this by its name when it has taken stock.
  globalThis.__playwright_run = resolve
})
app.whenReady = () => attached.then(() => ready)
process.argv.splice(process.argv.indexOf('-r'), 2)
