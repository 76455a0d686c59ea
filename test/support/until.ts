/** Tests wait as everything else does: the one function, near at hand. */
export { until } from '../../local/until';
