/** Shapes in which each request arrives once, or never. */
import { checkShapes } from './check-shapes';
import { SHAPES } from './shapes';

checkShapes(Object.values(SHAPES).filter((shape) => !shape.contract.send.mayRepeat));
