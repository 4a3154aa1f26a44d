import type { Check } from '@galley/library'
import { checkSite } from '@galley/library'

import type { Command } from './command.ts'
import { wholeNumber } from './command.ts'
import { knownSite } from './site.ts'

const isUnknown = ({ code }: Check): boolean => code === 'clock_unknown' || code === 'secret_untried'

/** As wide as the longest mark. */
const markOf = (check: Check): string => (isUnknown(check) ? '?   ' : check.ok ? 'ok  ' : 'FAIL')

export const siteCheck: Command = {
  name: 'site check',
  usage: 'ID [--port N]',
  summary: 'check keychain, service, listener, callback URL, publishing target, clock and disk',
  positionals: ['ID'],
  options: { port: { type: 'string' } },
  async run(context) {
    const galley = await context.galley()
    const site = await knownSite(context)
    const checks = await checkSite(galley, site, wholeNumber(context, 'port', 1, 65_535))
    const ok = checks.every((check) => check.ok)
    const lines = checks.map(
      (check) => `${markOf(check)}  ${check.name}: ${check.detail}${check.fix ? `\n      ${check.fix}` : ''}`,
    )
    const findings = checks.map((check) => {
      const { name, ok: isFine, detail, fix } = check
      return { name, ok: isFine, detail, fix, ...(isUnknown(check) && { unknown: true }) }
    })
    return { json: { ok, checks: findings }, text: lines.join('\n'), exitCode: ok ? 0 : 1 }
  },
}
