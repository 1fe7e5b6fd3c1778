import { Module, ValidationPipe, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { AgentToolsModule } from 'nestjs-agent-tools';
import { AuthMiddleware } from './auth/auth.middleware.js';
import { ChatController } from './chat/chat.controller.js';
import { ToolsController } from './chat/tools.controller.js';
import { chooseModel } from './choose-model.js';
import { CurrencyService } from './currency/currency.service.js';
import { CurrencyTools } from './currency/currency.tools.js';
import { OrderTools } from './orders/order.tools.js';
import { OrdersService } from './orders/orders.service.js';
import { RefundTools } from './refunds/refund.tools.js';
import { RefundsService } from './refunds/refunds.service.js';
import { ShippingService } from './shipping/shipping.service.js';
import { ShippingTools } from './shipping/shipping.tools.js';
import { StockService } from './stock/stock.service.js';
import { StockTools } from './stock/stock.tools.js';

@Module({
  imports: [
    AgentToolsModule.forRootAsync({
      useFactory: () => ({
        model: chooseModel(),
        instructions:
          'You work at the order desk of an online shop. Answer in one or two sentences, only from ' +
          'what the tools return. Call independent tools together.',
      }),
    }),
  ],
  controllers: [ChatController, ToolsController],
  providers: [
    OrdersService,
    ShippingService,
    CurrencyService,
    StockService,
    RefundsService,
    OrderTools,
    ShippingTools,
    CurrencyTools,
    StockTools,
    RefundTools,
    { provide: APP_PIPE, useValue: new ValidationPipe({ whitelist: true, transform: true }) },
  ],
})
export class AppModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(AuthMiddleware).forRoutes('*path');
  }
}
