// The redirect of better-sqlite3 in the fallback runtime, for each of its threads.
'use strict'
const Module = require('node:module')
const path = require('node:path')

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
// A package has this folder in the place of better-sqlite3.
module.exports = RedirectedDatabase
