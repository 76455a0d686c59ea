// `npm run test:stripe`: our requests against Stripe's own schema. A run of its own, since it needs
// stripe-mock, which Go builds; everything else about Stripe is in test/providers.
const { projects } = require('../../jest.config.cjs');

const providers = projects.find(({ displayName }) => displayName === 'providers');

module.exports = {
  ...providers,
  displayName: 'stripe',
  testMatch: ['<rootDir>/test/stripe/requests-against-schema.ts'],
};
