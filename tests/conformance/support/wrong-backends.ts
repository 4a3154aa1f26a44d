import { themes } from '../../../src/conformance/cases.ts'
import type { Fault } from './site-stub/faults.ts'
import { apiKey, auth, secret } from './stub-run.ts'

const signatures = themes
  .find(({ title }) => title === 'Signature')
  ?.cases.map(({ id }) => id)
  .filter((id) => !['signature-boundary', 'signature-padded', 'signature-odd-headers'].includes(id))

/** What a backend gets wrong, and every case that says so. */
type Row = readonly [faults: readonly Fault[], fails: readonly string[]]

/** Faults that do not touch each other share a run; the cases that fail are exactly those of its rows. */
export const wrongBackends: readonly (readonly Row[])[] = [
  [
    [
      ['verifies-nothing'],
      [...(signatures ?? []), 'authorization-no-substitute', 'fonts-signature-missing', 'fonts-signature-wrong'],
    ],
    [['reparses-state'], ['state-big-integer', 'state-precision', 'state-number-form', 'state-digit-keys']],
    [['never-tries-again'], ['download-tried-again', 'download-cut-then-whole']],
    [['fonts-need-a-tree'], ['fonts-no-tree', 'fonts-tree-shape', 'fonts-tree-empty']],
  ],
  [
    [['verifies-half'], ['signature-last-digit', 'signature-cut', 'signature-with-tail']],
    [['verifies-the-callback-url'], ['signature-of-callback-url']],
    [['downloads-by-post'], ['download-get']],
    [['no-rm'], ['answer-rm']],
    [['keeps-old-urls'], ['asset-replaced']],
    [
      ['serves-bare-files'],
      ['fonts-cross-origin', 'public-type', 'public-nosniff', 'public-cross-origin', 'public-svg', 'public-html'],
    ],
  ],
  [
    [['finds-signatures-anywhere'], ['signature-in-body', 'signature-other-header']],
    [['downloads-without-key'], ['download-api-key', 'fonts-download']],
    [['stringly-rc'], ['answer-rc']],
    [
      ['makes-up-assets'],
      ['file-without-asset', 'state-big-integer', 'state-precision', 'state-number-form', 'state-digit-keys'],
    ],
    [
      ['fonts-css-untouched'],
      ['fonts-css-quoted', 'fonts-css-bare', 'fonts-css-suffix', 'fonts-css-prefix', 'fonts-css-blank'],
    ],
    [['forgets-on-failure'], ['refusal-keeps-earlier']],
  ],
  [
    [
      ['downloads-first'],
      [
        ...['signature-before-download', 'download-once', 'download-denied-once', 'download-tries-bounded'],
        ...[
          'content-url-fragment',
          'fonts-replay',
          'replay-no-download',
          'replay-old-after-new',
          'refused-then-mended',
        ],
        'parallel-twins',
      ],
    ],
    [['html-answers'], ['answer-type']],
    [['lists-for-objects'], ['no-media', 'file-without-asset', 'state-empty-object']],
  ],
  [
    [['downloads-without-material'], ['download-material-id', 'fonts-download']],
    [['downloads-without-signature'], ['download-signature', 'fonts-download-signature']],
    [['follows-redirects'], ['redirect-302', 'redirect-307', 'redirect-same-host']],
    [['says-no-reason'], ['refusal-has-reason']],
    [['has-no-ledger'], ['fonts-replay', 'replay-no-download', 'replay-old-after-new', 'parallel-twins']],
    [['stores-by-name'], ['earlier-media-kept', 'late-older-keeps-newer']],
    [['fonts-on-another-host'], ['fonts-own-host']],
    [['echoes-debug'], ['metadata-not-echoed']],
  ],
  [
    [['signs-the-whole-address'], ['download-signature', 'fonts-download-signature']],
    [['rebuilds-queries'], ['download-query-kept']],
    [['remembers-failures'], ['refused-then-mended']],
    [['takes-any-version'], ['version-other-bytes']],
    [['takes-any-request'], ['http-from-web-page']],
    [['fonts-lose-the-tree'], ['fonts-tree-kept']],
    [['sends-the-secret'], ['secret-never-downloaded']],
    [['sorts-keys'], ['state-big-integer', 'state-precision', 'state-number-form', 'state-order', 'state-digit-keys']],
  ],
  [
    [
      ['fetches-anywhere'],
      [
        ...['event-unknown', 'event-contradicts-media', 'event-contradicts-fonts'],
        ...['content-url-elsewhere', 'content-url-user-info', 'content-url-fragment', 'fonts-elsewhere'],
      ],
    ],
    [['follows-links'], ['entry-symlink', 'entry-device']],
    [['shares-one-answer'], ['fonts-beside-save', 'parallel-saves']],
  ],
  [
    [['tries-for-ever'], ['download-denied-once', 'download-tries-bounded', 'refused-then-mended']],
    [['tells-addresses'], ['download-failure-discreet', 'key-never-answered']],
    [
      ['asks-for-no-credentials'],
      [
        ...['authorization-missing', 'authorization-wrong-basic', 'authorization-wrong-bearer'],
        ...['authorization-empty', 'authorization-garbled', 'authorization-status'],
      ],
    ],
    [['fonts-keep-dummies'], ['fonts-tree-public']],
    [['fills-what-is-gone'], ['asset-without-file', 'asset-without-url', 'asset-null']],
  ],
  [
    [['needs-a-length'], ['download-chunked']],
    [
      ['bare-errors'],
      ['unusable-is-rc-0', 'body-not-json', 'body-empty', 'body-list', 'body-text', 'body-null', 'http-not-utf8'],
    ],
    [
      ['needs-metadata'],
      [
        ...[
          'metadata-any-shape',
          'metadata-empty',
          'metadata-list',
          'metadata-text',
          'metadata-null',
          'metadata-absent',
        ],
        'fonts-no-metadata',
      ],
    ],
  ],
  [
    [
      ['credentials-are-enough'],
      [
        ...['signature-missing', 'signature-empty', 'signature-in-body', 'signature-other-header'],
        ...['authorization-no-substitute', 'fonts-signature-missing'],
      ],
    ],
    [['ignores-events'], ['event-unknown', 'event-contradicts-media', 'fonts-no-css']],
    [
      ['unencoded-urls'],
      [
        ...['name-brackets', 'name-hash', 'name-percent', 'name-quotes', 'name-ampersand', 'name-dollar', 'name-plus'],
        'name-folder',
      ],
    ],
  ],
  [
    [['tells-the-secret'], ['download-failure-discreet', 'secret-never-answered']],
    [
      ['replaces-in-text'],
      [
        ...['asset-without-file', 'asset-without-url', 'asset-null', 'asset-replaced', 'name-prefix', 'name-dummy'],
        ...['name-quotes', 'state-prose', 'state-escaped-name'],
      ],
    ],
  ],
  [
    [
      ['lists-image-types', 'fills-what-is-gone'],
      ['name-video', 'name-no-ending', 'name-reserved', 'name-of-object'],
    ],
    [['flattens-folders', 'fills-what-is-gone'], ['name-folder']],
    [['fills-what-is-gone'], ['asset-without-file', 'asset-without-url', 'asset-null']],
  ],
  [
    [
      ['skips-what-is-damaged'],
      [
        ...['fonts-not-zip', 'fonts-cut', 'fonts-page', 'fonts-no-css', 'fonts-crc', 'archive-two-states'],
        ...[
          'archive-two-pictures',
          'bomb-lying',
          'bomb-overlap',
          'bomb-announced',
          'entry-climbs-refused',
          'entry-climbs-first',
          'entry-absolute',
          'entry-drive',
          'entry-backslash',
          'entry-nul',
          'entry-controls',
          'download-cut-then-whole',
        ],
      ],
    ],
  ],
  [
    [
      ['ignores-checksums'],
      [
        ...['fonts-crc', 'archive-crc-media', 'archive-crc-page', 'archive-crc-state'],
        ...['archive-size-more', 'archive-size-less', 'bomb-lying'],
      ],
    ],
  ],
  [
    [
      ['ignores-entry-names'],
      [
        ...['entry-climbs-refused', 'entry-climbs-first', 'entry-absolute', 'entry-drive', 'entry-backslash'],
        ...['entry-nul', 'entry-controls'],
      ],
    ],
  ],
  [
    [
      ['ignores-entry-names', 'joins-names-to-paths'],
      [
        ...['entry-climbs', 'entry-climbs-within', 'entry-encoded', 'fonts-climb'],
        ...['entry-climbs-refused', 'entry-climbs-first', 'entry-absolute', 'entry-drive', 'entry-backslash'],
        ...['entry-nul', 'entry-controls'],
      ],
    ],
  ],
  [
    [
      ['ignores-archive-layout'],
      [
        ...['archive-two-states', 'archive-two-pictures', 'archive-two-names', 'archive-something-behind'],
        ...['archive-two-ends', 'bomb-overlap'],
      ],
    ],
  ],
  [
    [
      ['takes-pages-for-optional'],
      [
        ...['content-url-missing', 'content-url-empty', 'fonts-content-url-empty', 'archive-no-entries'],
        ...['archive-no-state', 'archive-no-page', 'state-not-utf8', 'page-not-utf8'],
      ],
    ],
  ],
  // What most cases rest on fails once, and they are not run.
  [[['refuses-everything'], ['save-accepted', 'fonts-accepted']]],
  [[['breaks-down'], ['save-accepted', 'fonts-accepted']]],
  [[['state-as-text'], ['answer-state']]],
  [[['no-state'], ['answer-state']]],
  [[['leaves-dummies'], ['client-urls-set']]],
  [[['empties-urls'], ['client-urls-set']]],
  [[['relative-urls'], ['client-urls-public', 'fonts-tree-public']]],
  [[['serves-to-nobody'], ['media-served', 'fonts-served']]],
]

/** Sessions that are opened wrongly, and the case that says so. */
export const wrongOpens = [
  ['open-signature', { api_key: apiKey, callback_url: 'https://cms.example/hook', material_id: 'a' }],
  ['open-members', { callback_url: 'https://cms.example/hook', material_id: 'a' }],
  ['open-members', { api_key: apiKey, callback_url: '/hook', material_id: 'a' }],
  ['open-members', { api_key: apiKey, callback_url: 'https://cms.example/hook' }],
  ['open-state', { vms_json: '{"assets":{}}' }],
  ['open-state', { vms_json: [] }],
  ['open-last-state', { material_id: 'post-1' }],
  ['open-last-state', { material_id: 'post-1', vms_json: {} }],
  ['open-metadata', { metadata: [] }],
  ['open-credentials', { metadata: { webhook_auth_user: auth.user } }],
  ['open-without-secret', { metadata: { note: `it is ${secret}` } }],
] as const
