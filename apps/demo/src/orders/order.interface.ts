export interface Order {
  readonly orderNo: string;
  readonly customer: string;
  readonly status: 'processing' | 'shipped' | 'delivered';
  readonly items: readonly string[];
  readonly total: number;
  readonly currency: string;
  readonly orderedOn: string;
}
