import { rehearse as rehearseRestore, variablePart } from '@galley/library'
import { counted } from '@galley/platform'

import { CommandFailure, command, failed } from './command.ts'
import { knownSite, ofSite } from './site.ts'
import { printable } from './table.ts'

export const rehearse = command({
  name: 'rehearse',
  summary: 'fetch all current files as the service does for a new session',
  positionals: ofSite,
  examples: ['acme'],
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
})
