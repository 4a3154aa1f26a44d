import { rehearse as rehearseRestore, variablePart } from '@galley/library'
import { counted } from '@galley/platform'

import type { Command } from './command.ts'
import { CommandFailure, failed } from './command.ts'
import { knownSite } from './site.ts'
import { printable } from './table.ts'

export const rehearse: Command = {
  name: 'rehearse',
  usage: 'SITE',
  summary: 'fetch the files of all current versions as the service does when it restores a session',
  positionals: ['SITE'],
  async run(context) {
    const site = await knownSite(context)
    const done = await rehearseRestore(await context.galley(), site, context.interrupted)
    if (!done.ok && done.failure === 'site_unconfirmed') throw failed({ code: done.failure, site: site.id })
    if (!done.ok)
      throw new CommandFailure(
        'secrets_unavailable',
        done.failure === 'credentials_missing'
          ? `The callback credentials of the site are missing. Nothing was fetched. With --secrets env, set GALLEY_CALLBACK_AUTH_${variablePart(site.id)}; otherwise save the site again.`
          : 'The callback credentials of the site cannot be read. Nothing was fetched. Unlock the keychain, then try again.',
      )
    const { checked, lost } = done.value
    return {
      json: {
        checked,
        lost: lost.map(({ materialId, ...asset }) => ({ material_id: materialId, ...asset })),
      },
      text: [
        lost.length === 0
          ? `${counted(checked, 'file')} fetched. A restored session would have all of them.`
          : `${counted(checked, 'file')} checked. A restored session would lose ${lost.length} of them; publish them with galley site republish ${site.id}, or start the listener that serves them:`,
        ...lost.map(({ materialId, asset, url, status, problem }) =>
          printable(`  ${materialId}: ${asset} (${problem ?? status}) ${url}`),
        ),
      ].join('\n'),
      exitCode: lost.length > 0 ? 1 : 0,
    }
  },
}
