// Loaded before the app: rows and thumbnails come seconds after they were asked for, and a picture of the window tells on stdout
// how much of it is plain blue.
'use strict'
const { setTimeout: delay } = require('node:timers/promises')
const { app, ipcMain, protocol } = require('electron')

const lateMs = 1_500

const handleCalls = ipcMain.handle.bind(ipcMain)
ipcMain.handle = (channel, handler) =>
  handleCalls(channel, async (event, name, input) => {
    if (name === 'queryMaterials') await delay(lateMs)
    return handler(event, name, input)
  })

const handleScheme = protocol.handle.bind(protocol)
protocol.handle = (scheme, handler) =>
  handleScheme(scheme, async (request) => {
    if (request.url.includes('thumbnail')) await delay(lateMs)
    return handler(request)
  })

const isBlue = ([blue, green, red]) => blue > 240 && green < 15 && red < 15
app.on('web-contents-created', (_event, contents) => {
  const capture = contents.capturePage.bind(contents)
  contents.capturePage = async () => {
    const image = await capture()
    const bitmap = image.toBitmap()
    let blue = 0
    for (let at = 0; at < bitmap.length; at += 4) if (isBlue(bitmap.subarray(at, at + 3))) blue += 1
    process.stdout.write(`${JSON.stringify({ blue })}\n`)
    return image
  }
})
