import type { ServiceSites } from '../sites/service-site.ts'
import type { Markup } from './markup.ts'
import { html } from './markup.ts'
import { wideTable } from './wide-table.ts'

/** The sites that this emulator knows, without their secrets. */
export function siteTable(sites: ServiceSites): Markup {
  const rows = Array.from(
    sites.values(),
    ({ name, environment, apiKey, allowedDomains, signatureHeader }) =>
      html`<tr>
        <th scope="row">${name}</th>
        <td>${environment}</td>
        <td><code>${apiKey}</code></td>
        <td>${allowedDomains.length === 0 ? 'this machine only' : allowedDomains.join(', ')}</td>
        <td><code>${signatureHeader}</code></td>
      </tr>`,
  )
  return wideTable('Table of sites', ['Name', 'Environment', 'API key', 'Allowed domains', 'Signature header'], rows)
}
