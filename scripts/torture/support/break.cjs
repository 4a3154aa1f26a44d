/** Loaded into a listener before its first line, in every thread: takes the guard out that TORTURE_TWIN names. */
const fs = require('node:fs')
const Module = require('node:module')
const { isMainThread } = require('node:worker_threads')

const folder = process.env.TORTURE_FOLDER
const lateMs = 2_000

/** The path that is open as this number. */
const pathOf = (fd) => fs.readlinkSync(`/proc/self/fd/${fd}`)

/** Gives the class of open files, which has no name outside. */
async function withOpenFiles(use) {
  const handle = await fs.promises.open(process.execPath)
  const prototype = Object.getPrototypeOf(handle)
  await handle.close()
  use(prototype)
}

/** Syncs of what `isSkipped` says, of a path, are only claimed. */
function skipSyncs(isSkipped) {
  for (const name of ['fsync', 'fdatasync']) {
    const [later, now] = [fs[name], fs[`${name}Sync`]]
    fs[name] = (fd, done) => (isSkipped(pathOf(fd)) ? process.nextTick(done, null) : later(fd, done))
    fs[`${name}Sync`] = (fd) => (isSkipped(pathOf(fd)) ? undefined : now(fd))
  }
  void withOpenFiles((prototype) => {
    for (const name of ['sync', 'datasync']) {
      const real = prototype[name]
      prototype[name] = function skipping() {
        return isSkipped(pathOf(this.fd)) ? Promise.resolve() : real.call(this)
      }
    }
  })
}

/** Every database that is opened from now on is of the class that `derive` makes of the real one. */
function databases(derive) {
  const load = Module._load
  let derived = null
  Module._load = function loading(name, ...rest) {
    const Real = load.call(this, name, ...rest)
    return name === 'better-sqlite3' ? (derived ??= derive(Real)) : Real
  }
}

/** The database never waits for the disk. */
const withoutSyncs = (Real) =>
  class extends Real {
    constructor(...given) {
      super(...given)
      super.pragma('synchronous = OFF')
    }
    pragma(text, ...more) {
      return super.pragma(text.replace(/synchronous\s*=\s*\w+/i, 'synchronous = OFF'), ...more)
    }
    exec(text) {
      return super.exec(text.replace(/synchronous\s*=\s*\w+/i, 'synchronous = OFF'))
    }
  }

/** What was committed is so a while later; everybody here already sees it. */
const withLateCommits = (Real) =>
  class extends Real {
    transaction(work) {
      const run = (...given) => {
        if (!this.inTransaction) {
          this.exec('BEGIN IMMEDIATE')
          setTimeout(() => void (this.open && this.inTransaction && this.exec('COMMIT')), lateMs)
        }
        return work(...given)
      }
      return Object.assign(run, { default: run, deferred: run, immediate: run, exclusive: run })
    }
  }

const isLog = (path) => /\/log\/|\.db(-wal)?$/.test(path)

const breaks = {
  'late-commits'() {
    databases(withLateCommits)
    const write = fs.writeSync
    fs.writeSync = (fd, data, ...rest) => {
      if (!pathOf(fd).includes('/log/')) return write(fd, data, ...rest)
      setTimeout(() => write(fd, data, ...rest), lateMs)
      return Buffer.byteLength(data)
    }
  },
  'no-file-syncs': () => skipSyncs((path) => !isLog(path) && fs.statSync(path).isFile()),
  'no-folder-syncs': () => skipSyncs((path) => fs.statSync(path).isDirectory()),
  'no-log-syncs'() {
    skipSyncs(isLog)
    databases(withoutSyncs)
  },
  'deaf-to-the-disk'() {
    const later = fs.fsync
    fs.fsync = (fd, done) => later(fd, () => done(null))
    for (const name of ['fsyncSync', 'fdatasyncSync']) {
      const now = fs[name]
      fs[name] = (fd) => {
        try {
          now(fd)
        } catch {
          // Not heard.
        }
      }
    }
    void withOpenFiles((prototype) => {
      const real = prototype.sync
      prototype.sync = function deaf() {
        return real.call(this).catch(() => undefined)
      }
    })
  },
  'any-signature'() {
    require('node:crypto').timingSafeEqual = () => true
  },
  'few-places'() {
    const { Server } = require('node:net')
    Object.defineProperty(Server.prototype, 'maxConnections', { get: () => 20, set() {} })
  },
  'keeps-descriptors'() {
    const { Server } = require('node:http')
    const emit = Server.prototype.emit
    Server.prototype.emit = function keeping(event, ...rest) {
      if (event === 'request') fs.openSync('/dev/null')
      return emit.call(this, event, ...rest)
    }
  },
  'keeps-memory'() {
    const { Server } = require('node:http')
    const emit = Server.prototype.emit
    const kept = []
    Server.prototype.emit = function keeping(event, ...rest) {
      if (event === 'request') kept.push(Buffer.alloc(kept.length < 64 ? 4 * 1024 ** 2 : 4096, 1))
      return emit.call(this, event, ...rest)
    }
  },
  'tells-secrets'() {
    const crypto = require('node:crypto')
    const createHmac = crypto.createHmac
    crypto.createHmac = (name, key, ...rest) => {
      fs.appendFileSync(`${folder}/library/debug.log`, `signing with ${key?.export?.() ?? key}\n`)
      return createHmac(name, key, ...rest)
    }
  },
  escapes() {
    const { renameSync } = fs
    fs.renameSync = (from, to) => {
      fs.writeFileSync(`${folder}/galley-evil.txt`, 'out')
      renameSync(from, to)
    }
  },
  'any-checksum': () =>
    patchWorker([
      [/\(0, node_zlib\.crc32\)\(content\) !== entry\.crc32/g, 'false'],
      [/sum === entry\.crc32/g, 'true'],
    ]),
  'any-length': () =>
    patchWorker([
      [/maxOutputLength: Math\.max\(sizeBytes, 1\),/g, ''],
      // Small chunks of so much would fill the heap and end the process.
      [/chunkSize: Math\.max\(sizeBytes \+ 1, 64\),/g, ''],
      [/tooLong \|\|= sizeBytes > entry\.sizeBytes/g, ''],
    ]),
  'keeps-downloads'() {
    const { promisify } = require('node:util')
    const kept = []
    const real = promisify(fs.writev)
    fs.writev[promisify.custom] = (fd, buffers, ...rest) => {
      kept.push(...buffers.map((buffer) => Buffer.from(buffer)))
      return real(fd, buffers, ...rest)
    }
  },
}

/** Replaces all of these patterns in the program of the worker threads. */
function patchWorker(replacements) {
  if (isMainThread) return
  const compile = Module.prototype._compile
  Module.prototype._compile = function patched(text, file) {
    return compile.call(this, file.endsWith('worker.js') ? replacements.reduce(replaced, text) : text, file)
  }
}

function replaced(text, [pattern, replacement]) {
  const patched = text.replaceAll(pattern, replacement)
  if (patched === text) throw new Error(`The twin does not find ${pattern} in the worker`)
  return patched
}

breaks[process.env.TORTURE_TWIN]?.()
