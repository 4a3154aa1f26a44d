/** Words of the signature doctor. */
export const doctor = {
  title: 'Signature doctor',
  intro: 'Paste the values as they were signed and sent. They are compared here and kept nowhere.',
  materialId: 'Material ID',
  contentUrl: 'Content URL',
  signature: 'Signature',
  check: 'Check',
  failed: 'The signature could not be checked. Nothing was changed; try again.',
  wouldPass: 'This signature would be accepted.',
  wouldNotPass: 'This signature would be rejected.',
  tested: 'Compared with the secrets of all sites of this library, as they are now. No secret leaves the keychain.',
  found: 'Findings',
  findings: {
    matches: 'It fits the secret of this site.',
    no_signature: 'There is no signature. Check that the proxy passes the signature header on.',
    not_a_signature:
      'It is no signature: 64 hexadecimal digits are expected, and it has {{length, number}} characters. Copy the whole header value.',
    blanks: 'There are spaces around it. Galley ignores them; other receivers may not.',
    upper_case: 'It is in upper case. The contract has lower case; whatever computes or forwards it has to keep that.',
    several: 'Two headers came as one value. Remove the proxy or plugin that adds a second one.',
    other_site_secret:
      'It was computed with the secret of the site {{site}}. Send it to the callback URL of that site, or correct the secret of one of the two.',
    changed_url: 'It was computed over another spelling of the content URL: {{how}}. Something rewrites the address.',
    changed_material: 'It was computed over another material ID: {{how}}. Something rewrites the ID.',
    open_signature:
      'It is the signature of opening a session: computed over the callback URL. Callbacks sign the content URL.',
    wrong_secret:
      'It fits no secret of this library and no common change of the address. Compare the secret of the site with that of the service.',
    secret_unavailable: 'The secret of the site {{site}} cannot be read. Check the keychain, then check again.',
    not_kept: 'Too little of this callback was kept to go by. Paste its values into the doctor instead.',
  },
  urlChanges: {
    trailing_slash: 'the slash at its end differs',
    scheme: 'http and https are exchanged',
    query: 'the query is missing',
    fragment: 'the part after # is missing',
    decoded: 'percent signs are decoded',
    encoded: 'characters are percent-encoded',
    case: 'upper and lower case differ',
    port: 'the port is written out or left out',
    blanks: 'there are spaces around it',
    download_query: 'it has the query of the download',
  },
  idChanges: {
    blanks: 'there are spaces around it',
    case: 'upper and lower case differ',
    empty: 'it is empty',
  },
} as const
