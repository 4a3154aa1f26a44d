import type { Fault } from './site-stub/faults.ts'
import { apiKey, auth, secret } from './stub-run.ts'

/** A mistake of a backend, and every case that reports it. */
type Row = readonly [faults: readonly Fault[], fails: readonly string[]]

/**
 * Faults that do not touch each other share a run; the cases that fail are exactly those of its rows. Most faults fail
 * one case: those that rest on it, or that it accounts for, are skipped.
 */
export const wrongBackends: readonly (readonly Row[])[] = [
  [
    [['verifies-nothing'], ['signature-wrong']],
    [['reparses-state'], ['state-as-written']],
    [['never-tries-again'], ['download-tried-again']],
    [['fonts-need-a-tree'], ['fonts-tree-empty']],
    [['page-keeps-dummies'], ['page-without-dummies']],
    [['follows-permanent-redirects'], ['redirect-301', 'redirect-303', 'redirect-308']],
    [['follows-redirects-of-fonts'], ['fonts-redirect']],
    [['lends-files'], ['materials-lend-nothing']],
    [['ledger-without-queries'], ['replay-other-query']],
    [['media-need-credentials'], ['media-without-authorization']],
    // A tree that is no object is one failure: the cases about its content depend on it.
    [['fonts-tree-as-text'], ['fonts-tree-object']],
    [
      ['fetches-anywhere'],
      ['event-unknown', 'event-contradicts-media', 'event-contradicts-fonts', 'content-url-elsewhere'],
    ],
    [['follows-links'], ['entry-symlink', 'entry-device']],
    [['shares-one-answer'], ['fonts-beside-save', 'parallel-saves']],
    [
      ['lists-image-types', 'fills-what-is-gone'],
      ['name-video', 'name-no-ending', 'name-reserved', 'name-of-object'],
    ],
    [['flattens-folders', 'fills-what-is-gone'], ['name-folder']],
    [['fills-what-is-gone'], ['asset-without-file']],
    [['ignores-checksums'], ['archive-crc-media', 'bomb-lying']],
    [['ignores-entry-names'], ['entry-climbs-refused']],
    [
      ['ignores-archive-layout'],
      [
        'archive-two-states',
        'archive-two-pictures',
        'archive-two-names',
        'archive-something-behind',
        'archive-two-ends',
        'bomb-overlap',
      ],
    ],
    [
      ['takes-pages-for-optional'],
      [
        'content-url-missing',
        'content-url-empty',
        'archive-no-entries',
        'archive-no-state',
        'archive-no-page',
        'state-not-utf8',
        'page-not-utf8',
      ],
    ],
    [['repeats-with-a-conflict'], ['replay-same-answer', 'parallel-twins', 'caller-hangs-up', 'fonts-replay']],
  ],
  [
    [['verifies-half'], ['signature-last-digit', 'signature-cut', 'signature-with-tail']],
    [['verifies-the-callback-url'], ['signature-of-callback-url']],
    [['verifies-without-query'], ['signature-without-query']],
    [['verifies-sorted-queries'], ['signature-query-order']],
    [['downloads-by-post'], ['download-get']],
    [['no-rm'], ['answer-rm']],
    [['tells-right-signature'], ['signature-not-told']],
    [['keeps-old-urls'], ['asset-replaced']],
    [
      ['serves-bare-files'],
      ['fonts-cross-origin', 'public-type', 'public-nosniff', 'public-cross-origin', 'public-svg', 'public-html'],
    ],
    [['downloads-without-material'], ['download-material-id']],
    [['downloads-without-signature'], ['download-signature']],
    [['follows-redirects'], ['redirect-302']],
    [['says-no-reason'], ['refusal-has-reason']],
    [['has-no-ledger'], ['replay-no-download']],
    // A picture that is served in a smaller size is still told from another one.
    [
      ['stores-by-name', 'optimises-pictures'],
      ['earlier-media-kept', 'late-older-keeps-newer', 'materials-apart'],
    ],
    [['fonts-on-another-host'], ['fonts-own-host']],
    [['echoes-debug'], ['metadata-not-echoed']],
    [
      ['skips-what-is-damaged'],
      [
        'fonts-not-zip',
        'fonts-cut',
        'fonts-page',
        'fonts-no-css',
        'fonts-crc',
        'download-cut-then-whole',
        'archive-two-states',
        'archive-two-pictures',
        'bomb-lying',
        'bomb-overlap',
        'bomb-announced',
        'entry-climbs-refused',
      ],
    ],
    [['fonts-tree-of-its-own'], ['fonts-tree-kept']],
    [['drops-unknown-keys'], ['state-kept']],
  ],
  [
    [['finds-signatures-anywhere'], ['signature-in-body', 'signature-other-header']],
    [['downloads-without-key'], ['download-api-key']],
    [['stringly-rc'], ['answer-rc']],
    [['makes-up-assets'], ['file-without-asset', 'state-as-written']],
    [['fonts-css-untouched'], ['fonts-css-quoted']],
    [['forgets-on-failure'], ['refusal-keeps-earlier']],
    [['writes-where-names-lead'], ['entry-stays-inside']],
  ],
  [
    [
      ['downloads-first'],
      ['signature-before-download', 'download-once', 'content-url-fragment', 'refused-then-mended'],
    ],
    [['html-answers'], ['answer-type']],
    [['lists-for-objects'], ['state-empty-object']],
    [['fonts-tree-as-list'], ['fonts-tree-object']],
    [['ignores-entry-names', 'joins-names-to-paths'], ['entry-stays-inside']],
    [['serves-media-once'], ['media-served']],
  ],
  [
    [['signs-the-whole-address'], ['download-signature']],
    [['rebuilds-queries'], ['download-query-kept']],
    [['remembers-failures'], ['refused-then-mended']],
    [['takes-any-version'], ['version-other-bytes']],
    [['takes-any-request'], ['http-from-web-page']],
    [['fonts-lose-the-tree'], ['fonts-tree-kept']],
    [['sends-the-secret'], ['secret-never-downloaded']],
    [['sorts-keys'], ['state-as-written']],
    [['empties-urls'], ['client-urls-set']],
  ],
  [
    [['tries-for-ever'], ['download-denied-once', 'refused-then-mended']],
    [['tells-addresses'], ['download-failure-discreet', 'key-never-answered']],
    [['asks-for-no-credentials'], ['authorization-missing']],
    [['fonts-keep-dummies'], ['fonts-tree-public']],
    [['fills-what-is-gone'], ['asset-without-file']],
    [
      ['answers-in-latin-1'],
      ['name-cyrillic', 'name-cjk', 'state-unicode', 'state-asset-members', 'fonts-tree-unicode'],
    ],
  ],
  [
    [['needs-a-length'], ['download-chunked']],
    [['reads-short-bodies'], ['http-medium-body']],
    [['reads-one-date-form'], ['version-date-forms']],
    [['replaces-short-names-first'], ['page-without-dummies']],
    [['bare-errors'], ['unusable-is-rc-0', 'body-not-json']],
    [['needs-metadata'], ['metadata-any-shape', 'metadata-absent', 'fonts-no-metadata']],
    [['fonts-data-as-text'], ['fonts-tree-object']],
    [['says-rc-1-on-refusal'], ['unreadable-refused']],
  ],
  [
    [['credentials-are-enough'], ['signature-missing']],
    [['ignores-events'], ['event-unknown', 'event-contradicts-media', 'fonts-no-css']],
    // PHP writes an empty object as a list.
    [['fonts-without-tree'], []],
    [
      ['unencoded-urls'],
      [
        'name-brackets',
        'name-hash',
        'name-percent',
        'name-quotes',
        'name-ampersand',
        'name-dollar',
        'name-plus',
        'name-folder',
      ],
    ],
  ],
  [
    [['tells-the-secret'], ['download-failure-discreet', 'secret-never-answered']],
    [['fonts-with-null'], []],
    [
      ['replaces-in-text'],
      [
        'asset-without-file',
        'asset-replaced',
        'name-prefix',
        'name-dummy',
        'name-quotes',
        'state-prose',
        'state-escaped-name',
      ],
    ],
  ],

  [
    [['reads-latin-1'], ['body-utf8']],
    [['gives-up-after-a-second'], ['download-slow']],
    [['cuts-at-a-megabyte'], ['media-medium']],
    // One picture that is not served is one failure, and its origin is asked again.
    [['cuts-one-picture'], ['public-type']],
    [
      ['fonts-tree-of-its-own', 'fonts-keep-dummies'],
      ['fonts-tree-public', 'fonts-tree-kept'],
    ],
  ],
  [
    [
      ['forgets-earlier-media'],
      ['asset-with-public-url', 'earlier-media-kept', 'late-older-keeps-newer', 'parallel-saves'],
    ],
    [['fonts-css-nowhere'], ['fonts-served']],
  ],
  [[['ignores-fonts'], ['fonts-download']]],
  [[['keeps-first-file'], ['media-changed', 'fonts-served']]],
  // What HTTP and the contract leave open fails nothing.
  [[['compresses-answers', 'queries-in-urls', 'adds-empty-assets', 'fills-null-assets', 'refuses-older-versions'], []]],
  [[['answers-all-alike'], ['answer-own']]],
  [[['mixes-materials'], ['answer-own']]],
  [[['cuts-media'], ['media-served', 'fonts-served']]],
  [
    [
      ['cuts-media', 'follows-links'],
      ['media-served', 'fonts-served'],
    ],
  ],
  // The prerequisite of most cases fails once, and they are not run.
  [[['refuses-everything'], ['save-accepted', 'fonts-accepted']]],
  [[['breaks-down'], ['save-accepted', 'fonts-accepted']]],
  [[['accepts-with-a-redirect'], ['save-accepted', 'fonts-accepted']]],
  [[['accepts-with-a-failure'], ['save-accepted', 'fonts-accepted']]],
  [[['state-as-text'], ['answer-state']]],
  [[['no-state'], ['answer-state']]],
  [[['leaves-dummies'], ['client-urls-set']]],
  [[['relative-urls'], ['client-urls-public', 'fonts-tree-public']]],
  [[['serves-to-nobody'], ['media-served', 'fonts-served']]],
]

/** Sessions that are opened incorrectly, and the case that reports it. */
export const wrongOpens = [
  ['open-signature', { api_key: apiKey, callback_url: 'https://cms.example/hook', material_id: 'a' }],
  ['open-members', { callback_url: 'https://cms.example/hook', material_id: 'a' }],
  ['open-members', { api_key: apiKey, callback_url: '/hook', material_id: 'a' }],
  ['open-members', { api_key: apiKey, callback_url: 'https://cms.example/hook' }],
  ['open-state', { vms_json: '{"assets":{}}' }],
  ['open-state', { vms_json: [] }],
  ['open-last-state', { material_id: 'post-1' }],
  ['open-last-state', { material_id: 'post-1', vms_json: {} }],
  ['open-last-state', { material_id: 'post-1', vms_json: { assets: {}, title: 'never saved' } }],
  ['open-metadata', { metadata: [] }],
  ['open-credentials', { metadata: { webhook_auth_user: auth.user } }],
  ['open-without-secret', { metadata: { note: `it is ${secret}` } }],
] as const
