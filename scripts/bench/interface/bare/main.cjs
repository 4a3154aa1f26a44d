/** What the cold start is measured against: a window with nothing but static HTML. */
require('../usable.cjs')
const { join } = require('node:path')
const { app, BrowserWindow } = require('electron')

app.once('ready', () => {
  const window = new BrowserWindow({ width: 1280, height: 800, show: false, webPreferences: { sandbox: true } })
  window.once('ready-to-show', () => window.show())
  void window.loadFile(join(__dirname, 'index.html'))
})
app.on('window-all-closed', () => app.quit())
