// The default app of the fallback runtime: opens the app folder named on the command line, as `electron [-r FILE] FOLDER` does.
'use strict'
const { app } = require('electron')
const Module = require('node:module')
const path = require('node:path')
const { parseArgs } = require('node:util')

// better-sqlite3 of the project needs a newer Node-API than this Electron has and would crash it. The redirect lives here,
// in the runtime that needs it: the app's own source knows nothing of it.
const Database = require('./better-sqlite3')
const nativeBinding = path.join(__dirname, 'better_sqlite3.node')
const RedirectedDatabase = new Proxy(Database, {
  construct: (target, [file, options], newTarget) =>
    Reflect.construct(target, [file, { ...options, nativeBinding }], newTarget),
  apply: (target, _self, [file, options]) => new target(file, { ...options, nativeBinding }),
})
const load = Module._load
Module._load = function (request, ...rest) {
  return request === 'better-sqlite3' ? RedirectedDatabase : load.call(this, request, ...rest)
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
