import { Injectable } from '@nestjs/common';

@Injectable()
export class RefundsService {
  readonly refunded = new Map<string, string>();

  refund(orderNo: string, by: string): void {
    this.refunded.set(orderNo, by);
  }
}
