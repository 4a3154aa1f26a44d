// The default app of the fallback runtime: opens the app folder named on the command line, as `electron [-r FILE] FOLDER` does.
'use strict'
const { app } = require('electron')
const Module = require('node:module')
const path = require('node:path')
const { parseArgs } = require('node:util')

require('./quit.js')
require('./sqlite.js')
// Each thread has a module loader of its own.
const threads = require('node:worker_threads')
threads.Worker = class extends threads.Worker {
  constructor(file, options = {}) {
    super(file, { ...options, execArgv: [...(options.execArgv ?? []), '--require', path.join(__dirname, 'sqlite.js')] })
  }
}

const {
  values: { require: first = [] },
  positionals: [named],
} = parseArgs({
  args: process.argv.slice(1),
  options: { require: { type: 'string', short: 'r', multiple: true } },
  // Chromium and the app have switches of their own on the same line.
  strict: false,
})
if (named === undefined) {
  console.error('Usage: electron APP_FOLDER [arguments]')
  app.exit(2)
} else {
  const folder = path.resolve(named)
  const { name, productName, version } = require(path.join(folder, 'package.json'))
  process.defaultApp = true
  app.setName(productName ?? name)
  if (version !== undefined) app.setVersion(version)
  if (!app.commandLine.hasSwitch('user-data-dir'))
    app.setPath('userData', path.join(app.getPath('appData'), app.getName()))
  app.setAppPath(folder)
  for (const file of first) Module._load(path.resolve(file), Module)
  Module._load(folder, Module, true)
}
