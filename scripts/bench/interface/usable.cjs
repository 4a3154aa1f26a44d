/** Required by both apps of the cold start before anything else: says when their first window can be seen with a filled list. */
const { app } = require('electron')

const whenFilled = `new Promise((resolve) => {
  const look = () => {
    if (document.querySelector('[role=grid] [data-row]')) requestAnimationFrame(() => setTimeout(resolve))
    else requestAnimationFrame(look)
  }
  look()
})`

app.once('browser-window-created', (_event, window) => {
  const shown = new Promise((resolve) => window.once('show', resolve))
  const sayWhenUsable = async () => {
    await Promise.all([window.webContents.executeJavaScript(whenFilled), shown])
    process.stdout.write(`usable ${Date.now()}\n`)
  }
  window.webContents.once('dom-ready', () => void sayWhenUsable())
})
