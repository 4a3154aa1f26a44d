import { readFile } from 'node:fs/promises'
import { isSystemError } from '@galley/platform'
import type { Cause } from '@galley/wire'
import { CausedError, cause } from '@galley/wire'
import type { AuthenticationType, Client, ConnectConfig } from 'ssh2'

/** A password, or `file:PATH` of a private key with its passphrase on the next line; null: this user's SSH agent. */
export interface SftpCredentials {
  readonly key: string | null
  readonly agentSocket: string | undefined
}

interface Login {
  readonly config: ConnectConfig
  /** Answers the questions of the server. */
  attach(client: Client): void
  /** Why the server refused, as far as its answers show it; null if it did not say. */
  cause(): Cause | null
}

/**
 * Logs in with what the server offers, and with nothing else, since servers count failed attempts. A password also answers
 * one hidden question of the method keyboard-interactive, once. Throws CausedError.
 */
export async function loginWith(credentials: SftpCredentials): Promise<Login> {
  const config = await configOf(credentials)
  const { password } = config
  const untried = ownMethods(config)
  let why: Cause | null = null
  let asked: string | null = null

  /** The next method of login; false: none is left. The first question is which methods the server offers. */
  function next(offered: readonly string[] | null, isPartial: boolean): AuthenticationType | false {
    if (offered === null) return 'none'
    if (isPartial) why = cause('sftp_more')
    const names = offered.filter((name) => /^[a-z0-9@.-]{1,40}$/.test(name))
    const fits = (method: AuthenticationType) => names.includes(method === 'agent' ? 'publickey' : method)
    const at = untried.findIndex(fits)
    const wasTried = untried.length < ownMethods(config).length
    if (at < 0 && !wasTried) why = cause('sftp_methods', { name: names.join(', ') })
    return (at >= 0 && untried.splice(at, 1)[0]) || false
  }

  return {
    config: { ...config, authHandler: next },
    attach(client) {
      client.on('keyboard-interactive', (_name, _instructions, _language, prompts, finish) => {
        const [{ prompt, echo = false } = { prompt: '' }] = prompts
        const isSame = prompt === asked
        if (password !== undefined && asked === null && prompts.length === 1 && !echo) {
          asked = prompt
          return finish([password])
        }
        // The same question again means that the password was wrong.
        if (!isSame || prompts.length > 1) why = cause('sftp_more')
        else why = cause('sftp_login')
        client.end()
      })
    },
    cause: () => why,
  }
}

/** In the order in which they are tried. */
function ownMethods({ agent, privateKey }: ConnectConfig): AuthenticationType[] {
  if (agent !== undefined) return ['agent']
  return privateKey === undefined ? ['password', 'keyboard-interactive'] : ['publickey']
}

async function configOf({ key, agentSocket }: SftpCredentials): Promise<ConnectConfig> {
  if (key === null) {
    if (!agentSocket) throw new CausedError(cause('no_target_key'))
    return { agent: agentSocket }
  }
  if (!key.startsWith('file:')) return { password: key, tryKeyboard: true }
  const [file = '', passphrase] = key.slice('file:'.length).split('\n')
  try {
    return { privateKey: await readFile(file), ...(passphrase !== undefined && { passphrase }) }
  } catch (error) {
    if (isSystemError(error)) throw new CausedError(cause('target_key_file'))
    throw error
  }
}
