// The end of an app in the fallback runtime.
'use strict'
const { app } = require('electron')
const { setFlagsFromString } = require('node:v8')
const { runInNewContext } = require('node:vm')

// This Electron may crash after the app has quit, if collected objects of Chromium still wait for their destructors then
// (electron/electron#45368, cured in 33.4). A forced collection runs the destructors at once.
app.on('quit', () => {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
})
