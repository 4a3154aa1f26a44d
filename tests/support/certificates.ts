import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

/** A certificate authority like that of a company, which no computer knows by itself. */
export function createAuthority() {
  const folder = mkdtempSync(join(tmpdir(), 'galley-authority-'))
  const run = (...args: string[]): void => void execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' })
  run('req', '-x509', ...key, '-days', '30', '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=A company')
  return {
    /** The file with its own certificate. */
    file: join(folder, 'ca.pem'),
    remove: (): void => rmSync(folder, { recursive: true }),
    /** A server's key and certificate for this host; with a negative number of days one that has expired. */
    issue(host: string, days = 20): { readonly key: Buffer; readonly cert: Buffer } {
      run('req', ...key, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=server')
      writeFileSync(join(folder, 'names'), `subjectAltName=${/^[\d.]+$/.test(host) ? 'IP' : 'DNS'}:${host}`)
      const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names']
      run('x509', '-req', '-in', 'server.csr', ...signing, '-days', String(days), '-out', 'server.pem')
      return { key: readFileSync(join(folder, 'server.key')), cert: readFileSync(join(folder, 'server.pem')) }
    },
  }
}
