/** Shapes in which something on the way may repeat a request. A file of its own: two files, two processors. */
import { checkShapes } from './check-shapes';
import { SHAPES } from './shapes';

checkShapes(Object.values(SHAPES).filter((shape) => shape.contract.send.mayRepeat));
